import type { Invocation } from '#commands/model/invocation.ts';
import type { Registry } from '#commands/registry/registry.ts';

import { parseLine, printLine, type ParsedLine } from './line.ts';

/** The search parameter with a command to run: `?run=tag%20assign%20…`. */
export const RUN = 'run';

/**
 * Returns an invocation as the search parameters of a URL. Like any line, they contain no secrets. Opening the URL only
 * shows the prefilled command, so a link alone runs nothing.
 */
export function toSearch(invocation: Invocation, registry: Registry): Readonly<Record<typeof RUN, string>> {
  return { [RUN]: printLine(invocation, registry) };
}

/** Returns the command in the search parameters of a URL, or undefined if there is none. */
export function fromSearch(search: Readonly<Record<string, unknown>>, registry: Registry): ParsedLine | undefined {
  const line = search[RUN];
  return typeof line === 'string' && line.trim() !== '' ? parseLine(line, registry) : undefined;
}
