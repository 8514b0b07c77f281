import type { Invocation } from '#commands/model/invocation.ts';
import { parseLine, printLine, type ParsedLine } from './line.ts';
import type { Registry } from '#commands/registry/registry.ts';

/** The part of an address that holds a command to be run there: `?run=tag%20assign%20…`. */
export const RUN = 'run';

/**
 * An invocation as search values of an address. It holds no secrets: a line never does. Whoever opens the address is
 * shown the command filled in; nothing runs by a link alone.
 */
export function toSearch(invocation: Invocation, registry: Registry): Readonly<Record<typeof RUN, string>> {
  return { [RUN]: printLine(invocation, registry) };
}

/** The command that an address holds, or undefined when it holds none. */
export function fromSearch(search: Readonly<Record<string, unknown>>, registry: Registry): ParsedLine | undefined {
  const line = search[RUN];
  return typeof line === 'string' && line.trim() !== '' ? parseLine(line, registry) : undefined;
}
