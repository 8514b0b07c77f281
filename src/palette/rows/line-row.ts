import { leadingCommand, hasMistypedVerb } from '#commands/line/line-head.ts';
import { parseLine, printLine } from '#commands/line/line.ts';
import { fromSearch } from '#commands/line/link.ts';
import { splitWords } from '#commands/line/shell.ts';
import type { Invocation } from '#commands/model/invocation.ts';

import { addressRow } from './address-row.ts';
import type { CommandListing } from './command-rows.ts';
import { idListSource } from './id-lists.ts';
import type { Source } from './item-source.ts';
import { commandText } from './pasted-text.ts';
import type { SearchRow } from './search-rows.ts';

/** The result for text that is not a search: a complete line, a URL of the console, or ids of several items. */
export interface LineResult {
  readonly rows: readonly SearchRow[];
  /** Replaces all other sources. */
  readonly sources: readonly Source[];
  /** The line, if it can be planned. */
  readonly invocation?: Invocation;
}

const NONE: LineResult = { rows: [], sources: [] };

export function readLine(input: string, listing: CommandListing): LineResult {
  const { registry } = listing;
  const address = parseAddress(input);
  if (address) {
    const link = fromSearch(Object.fromEntries(address.searchParams), registry);
    if (link?.invocation) return lineResult(printLine(link.invocation, registry), listing, true);
    return { rows: [addressRow(address, listing)], sources: [] };
  }
  const items = idListSource(input, listing);
  if (items) return { rows: [], sources: [items] };
  const { text, isLine } = commandText(input);
  return lineResult(text, listing, isLine || / --\w/.test(text));
}

function parseAddress(typedText: string): URL | undefined {
  const text = typedText.trim();
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * Treats text as a line if it can only be a line (`isLine`), is a command with arguments, or starts with a noun and a
 * mistyped verb.
 */
function lineResult(line: string, { registry, translate }: CommandListing, isLine: boolean): LineResult {
  const { words: lineWords } = splitWords(line);
  // Most text is a search. Parsing it would look for similar commands on every keystroke.
  if (!isLine && !leadingCommand(lineWords, registry) && !hasMistypedVerb(lineWords, registry)) return NONE;
  const { command, args, words, problems } = parseLine(line, registry);
  const hasArguments = words.some(({ role }) => role === 'value' || role === 'option');
  if (!isLine && command && !hasArguments) return NONE;
  const [problem] = problems;
  if (problem || !command) {
    return {
      rows: [{ id: 'line', label: line, reason: problem ? translate(problem.message) : '', isLine: true }],
      sources: [],
    };
  }
  const invocation = { id: command.id, args };
  return {
    rows: [{ id: 'line', label: printLine(invocation, registry), invocation, isLine: true }],
    sources: [],
    invocation,
  };
}
