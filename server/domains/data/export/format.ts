/** Reads the format of an export from a request, and converts it for the writer. */
import { clone, create, fromBinary, toBinary } from '@bufbuild/protobuf';

import { stepsOf } from '#commands/text/field-path.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import type { RowFormat, RowPart } from '#commands/text/row-writer.ts';
import {
  type Export_Format,
  type Export_Format_Csv,
  type Export_Format_Csv_Column,
  Export_Format_Csv_ColumnSchema,
  Export_Format_CsvSchema,
  type Export_Format_Json,
  Export_Format_Type as Type,
  Export_FormatSchema,
} from '#proto/gen/hiber/export_pb.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

import { MAX_COLUMNS } from './limits.ts';

type Columns = readonly Pick<Export_Format_Csv_Column, 'name' | 'jsonPath'>[];

/**
 * Reads a format. DEFAULT means CSV, unless there are settings for JSON (not specified in the contract).
 *
 * @param suggest loads the columns of a CSV file for a request without any
 * @throws ConnectError INVALID_ARGUMENT
 */
export async function readFormat(
  format: Export_Format | undefined,
  suggest: () => Promise<Columns>,
): Promise<Export_Format> {
  const { type = Type.DEFAULT, configuration } = format ?? {};
  if (!(Object.values(Type) as readonly number[]).includes(type))
    throw invalidArgument(`The format ${type} isn't known. Use CSV or JSON.`);
  const isJson = type === Type.JSON || (type === Type.DEFAULT && configuration?.case === 'json');
  if (configuration?.case !== undefined && (configuration.case === 'json') !== isJson) {
    throw invalidArgument(`The format is ${isJson ? 'JSON' : 'CSV'}, but its settings are for the other format.`);
  }
  if (isJson) {
    const json = configuration?.case === 'json' ? configuration.value : {};
    return create(Export_FormatSchema, { type: Type.JSON, configuration: { case: 'json', value: readJson(json) } });
  }
  const csv = readCsv(configuration?.case === 'csv' ? configuration.value : create(Export_Format_CsvSchema));
  if (csv.columns.length === 0) {
    csv.columns = (await suggest()).map((column) => create(Export_Format_Csv_ColumnSchema, column));
  }
  return create(Export_FormatSchema, { type: Type.CSV, configuration: { case: 'csv', value: csv } });
}

function readJson({ customFields = {}, compact = false }: Partial<Export_Format_Json>) {
  for (const [name, path] of Object.entries(customFields)) {
    if (name.trim() === '') throw invalidArgument('A custom field has no name.');
    requirePath(path, `the custom field "${shorten(name)}"`);
  }
  return { customFields, compact };
}

function readCsv(csv: Export_Format_Csv): Export_Format_Csv {
  const { columns, separator = ',', quote = '"', escape = '"', newline = '\n' } = csv;
  requireCharacter(separator, 'separator');
  requireCharacter(quote, 'quote');
  requireCharacter(escape, 'escape character');
  if (!['\n', '\r\n', '\r'].includes(newline)) {
    throw invalidArgument(`The newline ${quoteInvisible(newline)} isn't supported. Use \\n, \\r\\n, or \\r.`);
  }
  if (separator === quote || separator === escape) {
    throw invalidArgument(
      `The separator ${quoteInvisible(separator)} also quotes or escapes. Use different characters.`,
    );
  }
  if (columns.length > MAX_COLUMNS) {
    throw invalidArgument(`A file can have at most ${MAX_COLUMNS} columns, not ${columns.length}.`);
  }
  const checked = clone(Export_Format_CsvSchema, { ...csv, separator, quote, escape, newline });
  for (const column of checked.columns) {
    column.name = readEnteredText(column.name, 'The name of a column', MAX_LENGTH.fieldName);
    if (column.name === '')
      throw invalidArgument(`The column of ${shorten(column.jsonPath) || 'no path'} has no name.`);
    requirePath(column.jsonPath, `the column "${shorten(column.name)}"`);
  }
  return checked;
}

/** A separator can be a tab. Letters, digits, and whatever numbers contain would be ambiguous. */
function requireCharacter(text: string, subject: string): void {
  if ([...text].length === 1 && !/[\p{L}\p{N}\r\n\0+.\s-]/u.test(text.replace('\t', ''))) return;
  throw invalidArgument(
    `The ${subject} ${quoteInvisible(text)} isn't supported. Use a single character that isn't a letter, a digit, or a space.`,
  );
}

const quoteInvisible = (text: string): string => JSON.stringify(shorten(text));

function requirePath(path: string, subject: string): void {
  if (path.length <= MAX_LENGTH.fieldPath && path.startsWith('$') && stepsOf(path) !== undefined) return;
  throw invalidArgument(
    `The JSON path "${shorten(path)}" of ${subject} isn't supported. Use a path like $.sentAt.textual or $.tags[0].id.`,
  );
}

/** @param neutralizesFormulas false to keep text that a spreadsheet would run as a formula */
export function toRowFormat({ configuration }: Export_Format, neutralizesFormulas: boolean): RowFormat {
  if (configuration.case === 'json') {
    const { customFields, compact } = configuration.value;
    return { type: 'json', fields: Object.entries(customFields).map(([name, path]) => ({ name, path })), compact };
  }
  const { columns = [], separator = ',', quote = '"', escape = '"', newline = '\n' } = configuration.value ?? {};
  return {
    type: 'csv',
    columns: columns.map(({ name, jsonPath }): RowPart => ({ name, path: jsonPath })),
    dialect: { separator, quote, escape, newline, neutralizesFormulas },
  };
}

export const storeFormat = (format: Export_Format): Uint8Array => toBinary(Export_FormatSchema, format);
export const openFormat = (stored: Uint8Array): Export_Format => fromBinary(Export_FormatSchema, stored);
