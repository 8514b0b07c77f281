import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import { printDuration } from '#commands/text/duration.ts';
import { printList } from '#commands/text/quotes.ts';

/** Writes an argument as one text that can be read again, the same in every language. */
export function rawText(value: ArgValue, { kind }: Pick<Param, 'kind'>): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return printList(value as readonly string[]);
  if (typeof value === 'object')
    return printList(Object.entries(value).map(([name, text]) => `${name}=${text as string}`));
  return kind === 'duration' ? printDuration(value as number) : String(value);
}
