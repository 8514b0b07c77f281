import { type MessageInitShape, toJson } from '@bufbuild/protobuf';

import type { Context } from '#commands/model/context.ts';
import { CommandError, isUnimplemented } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import { maybeChanged, type Outcome } from '#commands/model/result.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { toTimeRange } from '#commands/model/time.ts';
import { durationInit } from '#commands/model/wire.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { printSteps, stepsOf } from '#commands/text/field-path.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message } from '#commands/text/message.ts';
import { type RowFormat, rowWriter } from '#commands/text/row-writer.ts';
import {
  type AvailableFieldsForExport_RequestSchema,
  Export_Format_Type as Type,
  type Export_Format_Csv_Column as ExportColumn,
  type Export_ConfigurationSchema,
  type Export_FormatSchema,
  ExportService,
} from '#proto/gen/hiber/export_pb.ts';
import { MessageSchema, MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ValueContextSchema, ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { ExportProgressService } from '#proto/gen/quarterdeck/export/v1/export_progress_service_pb.ts';

import { formatLabels, type Content } from './item.ts';

const SEPARATORS = { COMMA: ',', SEMICOLON: ';', TAB: '\t', PIPE: '|' } as const;
const QUOTES = { DOUBLE: '"', SINGLE: "'" } as const;
/** The character before a quote inside a quoted cell: the quote itself, unless it is given. */
const ESCAPES = { QUOTE: undefined, BACKSLASH: '\\' } as const;
const NEWLINES = { LF: '\n', CRLF: '\r\n', CR: '\r' } as const;

/** Declares the param for a part of the CSV dialect, whose first option is the contract's default. */
function dialectParam<const Name extends string>(part: string, options: Readonly<Record<Name, unknown>>) {
  const names = Object.keys(options) as [Name, ...Name[]];
  return p.choice(names, { fallback: names[0], label: (name) => message(`export:${part}.${name}`) });
}

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The most devices or process points in an export that our server accepts. */
export const MAX_EXPORTED_ITEMS = 10_000;

/** How to write an export. The range is last month, unless it is given. */
export const requestParams = {
  range: p.range({ fallback: { start: '-30d', end: 'now' } }),
  name: p.text({ maxLength: MAX_LENGTH.exportName }),
  format: p.choice(p.names(Type, ['DEFAULT']), { fallback: 'CSV', label: formatLabels.byName }),
  separator: dialectParam('separator', SEPARATORS),
  quote: dialectParam('quote', QUOTES),
  escape: dialectParam('escape', ESCAPES),
  newline: dialectParam('newline', NEWLINES),
  compact: p.flag(),
  expires: p.duration({ min: HOUR, max: 366 * DAY }),
  email: p.flag(),
};

/** Declares the param for the columns of a file. Suggests those that the server offers. */
export const columnsParam = (content: Content) =>
  p.words({
    maxLength: MAX_LENGTH.fieldPath,
    example: content === 'messages' ? ['Device number', 'Sent at'] : ['Process point', 'Time'],
    suggest: (context) => suggestColumns(context, content),
  });

/** The arguments of a request. */
export interface ExportArgs {
  readonly range: { readonly start: string; readonly end: string } | undefined;
  readonly name: string | undefined;
  readonly format: 'JSON' | 'CSV' | undefined;
  readonly columns: readonly string[] | undefined;
  readonly separator: keyof typeof SEPARATORS | undefined;
  readonly quote: keyof typeof QUOTES | undefined;
  readonly escape: keyof typeof ESCAPES | undefined;
  readonly newline: keyof typeof NEWLINES | undefined;
  readonly compact: boolean;
  readonly expires: number | undefined;
  readonly email: boolean;
}

/** What to export: the data of these devices or process points of an organization. */
export interface Source {
  readonly content: Content;
  readonly organization: string;
  readonly ids: readonly string[];
}

type FormatInit = MessageInitShape<typeof Export_FormatSchema>;
type Range = NonNullable<ExportArgs['range']>;

export const rangeOf = ({ now, preferences }: Context, { start, end }: Range) =>
  toTimeRange({ start, end }, now(), firstDay(preferences));

const dayOf = (range: ReturnType<typeof rangeOf>, end: 'start' | 'end'): string => {
  const { seconds = 0n } = range[end]?.timestamp ?? {};
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 10).replaceAll('-', '');
};

/** Returns the name of an export: the given one, or one that sorts well among files. */
export function nameOf(
  context: Context,
  { content }: Source,
  { name, range }: Pick<ExportArgs, 'name' | 'range'>,
): string {
  if (name?.trim()) return name.trim();
  const period = rangeOf(context, range ?? LAST_MONTH);
  return `${content} ${dayOf(period, 'start')}-${dayOf(period, 'end')}`;
}

const LAST_MONTH: Range = { start: '-30d', end: 'now' };

function configurationOf(
  context: Context,
  { content, ids }: Source,
  { range, expires }: Pick<ExportArgs, 'range' | 'expires'>,
): MessageInitShape<typeof Export_ConfigurationSchema> {
  const timeRange = rangeOf(context, range ?? LAST_MONTH);
  return {
    ...(expires === undefined ? {} : { expiresIn: durationInit(expires) }),
    type:
      content === 'messages'
        ? { case: 'modemMessage', value: { modems: [...ids], timeRange } }
        : { case: 'processPointValues', value: { processPointIdentifiers: [...ids], timeRange } },
  };
}

/** Loads the columns that the server suggests. Without ids, for all devices or process points. */
async function loadColumns(
  { api, signal }: Context,
  { content, organization, ids }: Source,
): Promise<readonly ExportColumn[]> {
  const configuration =
    content === 'messages'
      ? ({ case: 'modemMessage', value: { modems: [...ids] } } as const)
      : ({ case: 'processPointValues', value: { processPointIdentifiers: [...ids] } } as const);
  const request = { organization, configuration } as MessageInitShape<typeof AvailableFieldsForExport_RequestSchema>;
  const { csvColumns } = await api(ExportService).availableFields(request, { signal });
  return csvColumns;
}

async function suggestColumns(context: Context, content: Content): Promise<readonly Suggestion[]> {
  const columns = await context.loadCached(`export:columns:${content}`, (shared) =>
    loadColumns(shared, { content, organization: shared.organization.id, ids: [] }),
  );
  return columns.map(({ name, jsonPath }) => ({ value: name, label: name, detail: jsonPath }));
}

/**
 * Returns the columns that the names or JSON paths mean; all suggested ones if there are none.
 *
 * @throws CommandError for a name that isn't suggested
 */
async function findColumns(
  context: Context,
  source: Source,
  texts: readonly string[] = [],
): Promise<readonly Pick<ExportColumn, 'name' | 'jsonPath'>[]> {
  const suggested = await loadColumns(context, source);
  if (texts.length === 0) return suggested;
  return texts.map((text) => {
    const steps = text.startsWith('$') ? stepsOf(text) : undefined;
    if (steps !== undefined) return { name: printSteps(steps), jsonPath: text };
    const lower = text.trim().toLocaleLowerCase();
    // A unit in the name is optional.
    const found = suggested.find(({ name }) =>
      [name, name.replace(/ \([^()]*\)$/, '')].some((known) => known.toLocaleLowerCase() === lower),
    );
    if (found !== undefined) return found;
    const names = suggested.map(({ name }) => name).join(', ');
    throw new CommandError(message('export:validation.column', { column: text, names }), 'columns');
  });
}

/** Builds the format of a request. */
export async function formatOf(context: Context, source: Source, args: ExportArgs): Promise<FormatInit> {
  const { format = 'CSV', columns, compact } = args;
  if (format === 'JSON') {
    const fields = columns === undefined || columns.length === 0 ? [] : await findColumns(context, source, columns);
    const customFields = Object.fromEntries(fields.map(({ name, jsonPath }) => [name, jsonPath]));
    return { type: Type.JSON, configuration: { case: 'json', value: { customFields, compact } } };
  }
  const found = await findColumns(context, source, columns);
  return {
    type: Type.CSV,
    configuration: {
      case: 'csv',
      value: {
        columns: found.map(({ name, jsonPath }) => ({ name, jsonPath })),
        ...dialectOf(args),
      },
    },
  };
}

function dialectOf({ separator = 'COMMA', quote = 'DOUBLE', escape = 'QUOTE', newline = 'LF' }: ExportArgs) {
  const quoteCharacter = QUOTES[quote];
  return {
    separator: SEPARATORS[separator],
    quote: quoteCharacter,
    escape: ESCAPES[escape] ?? quoteCharacter,
    newline: NEWLINES[newline],
  };
}

/** The number of rows in a preview. */
const SAMPLE_ROWS = 3;

/** Writes a few of the rows as the file would have them. */
export async function writeSample(
  context: Context,
  source: Source,
  args: ExportArgs,
  format: FormatInit,
): Promise<string> {
  const rows = await loadRows(context, source, rangeOf(context, args.range ?? LAST_MONTH));
  const neutralizesFormulas = format.configuration?.case !== 'json' && !(await keepsFormulas(context, source));
  const writer = rowWriter(toRowFormat(format, neutralizesFormulas));
  const text = [writer.start, ...rows.map((row, index) => writer.row(row, index)), writer.end].join('');
  // A line break is the same in a preview, whatever the file has.
  return text.replaceAll(/\r\n?/g, '\n').trimEnd();
}

/** True if the server writes text that a spreadsheet would run as a formula as it is. */
async function keepsFormulas({ api, signal }: Context, { organization }: Source): Promise<boolean> {
  try {
    return (await api(ExportProgressService).listProgress({ organization }, { signal })).keepsFormulas;
  } catch (error) {
    // Another server doesn't say.
    if (isUnimplemented(error)) return false;
    throw error;
  }
}

async function loadRows(
  { api, signal }: Context,
  { content, organization, ids }: Source,
  timeRange: ReturnType<typeof rangeOf>,
): Promise<readonly unknown[]> {
  const pagination = { size: SAMPLE_ROWS };
  if (content === 'messages') {
    const selection = { modemSelection: { modems: { include: [...ids] } }, timeRange };
    const { messages } = await api(MessageService).list({ organization, selection, pagination }, { signal });
    return messages.map((row) => toJson(MessageSchema, row, { alwaysEmitImplicit: true }));
  }
  const ownerSelection = { case: 'processPoints' as const, value: { identifiers: [...ids] } };
  const selection = { ownerSelection, timeRange };
  const { values } = await api(ValueService).list({ organization, selection, pagination }, { signal });
  return values.map((row) => toJson(ValueContextSchema, row, { alwaysEmitImplicit: true }));
}

function toRowFormat({ configuration }: FormatInit, neutralizesFormulas: boolean): RowFormat {
  if (configuration?.case === 'json') {
    const { customFields = {}, compact = false } = configuration.value;
    return { type: 'json', fields: Object.entries(customFields).map(([name, path]) => ({ name, path })), compact };
  }
  const {
    columns = [],
    separator = ',',
    quote = '"',
    escape = '"',
    newline = '\n',
  } = configuration?.case === 'csv' ? configuration.value : {};
  return {
    type: 'csv',
    columns: columns.map(({ name = '', jsonPath = '' }) => ({ name, path: jsonPath })),
    dialect: { separator, quote, escape, newline, neutralizesFormulas },
  };
}

/** Sends a request. */
export async function requestExport(
  context: Context,
  source: Source,
  request: Pick<ExportArgs, 'range' | 'expires' | 'email'> & { readonly name: string; readonly format: FormatInit },
): Promise<Outcome> {
  const { name, format, email } = request;
  const { created } = await context.api(ExportService).create(
    {
      organization: source.organization,
      name,
      format,
      configuration: configurationOf(context, source, request),
      emailSubscribe: email,
    },
    { signal: context.signal },
  );
  const id = created?.identifier;
  return {
    changed: ['export'],
    message: message('export:done.create', { name }),
    ...(id === undefined ? {} : { results: [{ id, label: name }], data: { id } }),
  };
}

/** Undoes a request by deleting its export. */
export function withdrawal(outcome: Outcome): readonly Invocation[] {
  const ids = maybeChanged(outcome).map(({ id }) => id);
  return ids.length === 0 ? [] : [{ id: 'export.delete', args: { exports: { ids } } }];
}
