import { parseValue } from '#commands/line/line.ts';

import type { FormStart } from '#src/state/layers.ts';
import type { Draft } from '#src/run/draft.ts';
import type { ReadyRow } from './ready-rows.ts';
import type { Choice } from './prompts/prompt.ts';

/**
 * What a form begins with when it takes over from the palette: what was given, and what is typed for the param that is
 * asked for now. That is the row it found, else the typed text itself, right or wrong: the form says what is wrong with
 * it.
 */
export function formOf(
  { command, args, text }: Draft,
  asked: string | undefined,
  active: Choice | ReadyRow | undefined,
): FormStart {
  const param = asked === undefined ? undefined : command.params[asked];
  const start = { id: command.id, args };
  if (asked === undefined || !param || text.trim() === '') return start;
  if (active && 'value' in active && active.reason === undefined)
    return { ...start, args: { ...args, [asked]: active.value } };
  const read = parseValue(param, text);
  return 'value' in read
    ? { ...start, args: { ...args, [asked]: read.value } }
    : { ...start, typed: { [asked]: text } };
}
