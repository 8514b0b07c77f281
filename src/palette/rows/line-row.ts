import { fromSearch } from '#commands/line/link.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { parseLine, printLine } from '#commands/line/line.ts';

import { addressRow } from './address-row.ts';
import type { CommandListing } from './command-rows.ts';
import type { Source } from './item-source.ts';
import { namedSource } from './named-items.ts';
import { commandText } from './pasted.ts';
import type { SearchRow } from './search-rows.ts';

/**
 * What was typed or pasted, where it is no search: a whole line, an address of the console, or ids of several items.
 */
export interface LineAnswer {
  readonly rows: readonly SearchRow[];
  /** In the place of all other sources. */
  readonly sources: readonly Source[];
  /** The line that can be planned. */
  readonly invocation?: Invocation;
}

const NONE: LineAnswer = { rows: [], sources: [] };

export function readLine(typed: string, listing: CommandListing): LineAnswer {
  const { registry } = listing;
  const address = addressOf(typed);
  if (address) {
    const held = fromSearch(Object.fromEntries(address.searchParams), registry);
    if (held?.invocation) return lineAnswer(printLine(held.invocation, registry), listing, true);
    return { rows: [addressRow(address, listing)], sources: [] };
  }
  const items = namedSource(typed, listing);
  if (items) return { rows: [], sources: [items] };
  const { text, isLine } = commandText(typed);
  return lineAnswer(text, listing, isLine || / --\w/.test(text));
}

function addressOf(typed: string): URL | undefined {
  const text = typed.trim();
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * Only words after a command make a line of what may as well be a search; what is `meant` as one is also told what is
 * wrong with it.
 */
function lineAnswer(line: string, { registry, say }: CommandListing, meant: boolean): LineAnswer {
  const { command, args, words, problems } = parseLine(line, registry);
  const goesOn = words.some(({ role }) => role === 'value' || role === 'option');
  if (!meant && (!command || !goesOn)) return NONE;
  const [problem] = problems;
  if (problem || !command) {
    return {
      rows: [{ id: 'line', label: line, reason: problem ? say(problem.message) : '', isLine: true }],
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
