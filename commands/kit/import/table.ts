import { getTextEncoding } from '@bufbuild/protobuf/wire';

import { CommandError } from '#commands/model/errors.ts';
import { fileContent, fileValue, type FileContent } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import { parseCsv, separatorOf, type CsvRecord, type Separator } from '#commands/text/csv-reader.ts';
import { csvLine } from '#commands/text/csv.ts';
import { decodeText } from '#commands/text/decode.ts';
import { message, type Message } from '#commands/text/message.ts';

/** The size of a table to import, in characters of pasted rows and in bytes of a file. */
const MAX_TEXT_LENGTH = 200_000;
const MEGABYTE = 1024 ** 2;

interface TableParamsOptions {
  readonly placeholder: string;
  readonly maxBytes?: number;
}

/** The params of a command that imports a table. `skip` and `save` say what happens to rows that have problems. */
export function tableParams({ placeholder, maxBytes = 25 * MEGABYTE }: TableParamsOptions) {
  return {
    // First, so that a form opens ready for pasted cells.
    rows: p.text({ multiline: true, maxLength: MAX_TEXT_LENGTH, placeholder, fromInput: true }),
    file: p.file({
      accept: ['text/csv', 'text/tab-separated-values', 'text/plain', 'application/vnd.ms-excel'],
      maxBytes,
    }),
    skip: p.flag(),
    save: p.flag(),
  };
}

export interface TableArgs {
  readonly file?: FileContent | '' | undefined;
  readonly rows?: string | undefined;
}

/** Returns the param that has the table. */
export const tableParam = ({ file }: TableArgs): 'file' | 'rows' => (file ? 'file' : 'rows');

/** The texts of files, because a form checks the same file at every keystroke. */
const texts = new WeakMap<Uint8Array, { readonly text: string | undefined }>();

/** Returns the text of a table. Undefined if the file isn't text. */
function textOf({ file, rows = '' }: TableArgs): string | undefined {
  if (!file) return rows;
  const decoded = texts.get(file.bytes) ?? { text: decodeText(file.bytes) };
  texts.set(file.bytes, decoded);
  return decoded.text;
}

/** Returns the problem with a table as a whole. `expected` says what an empty file should have. */
export function tableProblem(args: TableArgs, expected: Message): { readonly [Name in 'file' | 'rows']?: Message } {
  const { file, rows = '' } = args;
  if (file && rows.trim() !== '') return { rows: message('running:import.fileOrRows') };
  const text = textOf(args);
  if (text === undefined) return { file: message('running:import.encoding') };
  if (text.trim() !== '') return {};
  return file
    ? { file: message('running:import.emptyFile', { name: file.name, expected }) }
    : { rows: message('running:import.noRows') };
}

/** The records of a table, without its head. */
export interface Table {
  /** The names of the columns. Empty if the table doesn't name them. */
  readonly head: readonly string[];
  readonly headLine: number;
  readonly rows: readonly CsvRecord[];
  readonly separator: Separator;
}

const SEPARATOR_NAMES: Readonly<Record<Separator, Message>> = {
  ',': message('running:import.separators.comma'),
  ';': message('running:import.separators.semicolon'),
  '\t': message('running:import.separators.tab'),
};

/** Returns the message for a row with more cells than the table has columns. */
export const tooManyCells = (count: number, max: number, { separator }: Table): Message =>
  message('running:import.tooManyCells', { count, max, separator: SEPARATOR_NAMES[separator] });

/** Returns the table that arguments have as typed, with the content of its file. */
export function toTableArgs(args: Args) {
  const { file: value = '', rows = '' } = args as { readonly file?: string; readonly rows?: string };
  return { file: value === '' ? undefined : fileContent(value), rows };
}

/**
 * Returns the arguments for some rows of a table, by their lines. The others become empty lines, so each row keeps its
 * line.
 */
export function pickRows(args: Args, lines: readonly string[]): Args {
  const { file, rows } = toTableArgs(args);
  const [head, ...records] = parseCsv(textOf({ file, rows }) ?? '');
  const picked = new Set(lines);
  let text = '';
  let line = 1;
  for (const { line: start, cells, openQuoteLine } of head ? [head, ...records] : []) {
    if (openQuoteLine !== undefined || (start !== head?.line && !picked.has(`${start}`))) continue;
    const record = csvLine(cells);
    const before = '\n'.repeat(Math.max(0, start - line));
    line = Math.max(line, start) + record.split('\n').length - 1;
    text += before + record;
  }
  if (!file && text.length <= MAX_TEXT_LENGTH) return { ...args, rows: text };
  const { name, mediaType } = file ?? { name: 'rows.csv', mediaType: 'text/csv' };
  const bytes = getTextEncoding().encodeUtf8(text);
  return { ...args, rows: undefined, file: fileValue({ name, mediaType, bytes }) };
}

interface ReadOptions {
  readonly maxRows: number;
  /** True if a first record with these cells names the columns. */
  readonly isHead: (cells: readonly string[]) => boolean;
  readonly expected: Message;
}

/**
 * Reads a table.
 *
 * @throws CommandError if it has no rows, or too many
 */
export function readTable(args: TableArgs, { maxRows, isHead, expected }: ReadOptions): Table {
  const text = textOf(args) ?? '';
  const records = parseCsv(text);
  const [first] = records;
  const head = (first?.cells ?? []).map((cell) => cell.trim());
  const hasHead = first !== undefined && isHead(head);
  const rows = hasHead ? records.slice(1) : records;
  if (rows.length === 0) throw new CommandError(message('running:import.emptyTable', { expected }), tableParam(args));
  if (rows.length > maxRows)
    throw new CommandError(
      message('running:import.tooManyRows', { count: rows.length, max: maxRows }),
      tableParam(args),
    );
  return { head: hasHead ? head : [], headLine: first?.line ?? 1, rows, separator: separatorOf(text) };
}
