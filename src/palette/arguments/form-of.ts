import { parseValue } from '#commands/line/line.ts';
import type { Draft } from '#src/run/draft.ts';
import type { FormStart } from '#src/state/layers.ts';

import type { Choice } from './prompts/prompt.ts';
import type { ReadyRow } from './ready-rows.ts';

/**
 * Returns the initial state of a form that replaces the palette. It contains the arguments so far and, for the current
 * param, the value of the active row or else the typed text. The form reports any problem with the text.
 */
export function formOf(
  { command, args, text }: Draft,
  paramName: string | undefined,
  active: Choice | ReadyRow | undefined,
): FormStart {
  const param = paramName === undefined ? undefined : command.params[paramName];
  const start = { id: command.id, args };
  if (paramName === undefined || !param || text.trim() === '') return start;
  if (active && 'value' in active && active.reason === undefined)
    return { ...start, args: { ...args, [paramName]: active.value } };
  const parsed = parseValue(param, text);
  return 'value' in parsed
    ? { ...start, args: { ...args, [paramName]: parsed.value } }
    : { ...start, typed: { [paramName]: text } };
}
