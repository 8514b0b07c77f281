import type { Context } from '#commands/model/context.ts';
import { LONGEST } from '#commands/text/lengths.ts';
import { printDuration } from '#commands/text/duration.ts';
import { fileContent } from '#commands/model/files.ts';
import { integerProblem } from './integers.ts';
import type { ArgValue, Kind, KindValues } from '#commands/model/arg-value.ts';
import type { Param, ParamShapes } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { parseTime, spanOf } from '#commands/model/time.ts';

type Checks = {
  readonly [K in Kind]: (value: KindValues[K], param: ParamShapes[K], context: Context) => Message | undefined;
};

const pass = (): undefined => undefined;

export interface Lengths {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Counted as the server counts: without the spaces around it. */
export function lengthProblem(text: string, { minLength = 0, maxLength = LONGEST.text }: Lengths): Message | undefined {
  const { length } = text.trim();
  if (length > maxLength) return message('core:validation.maxLength', { max: maxLength, length });
  // The empty text clears; where it may not be given, that is said instead.
  return length > 0 && length < minLength
    ? message('core:validation.minLength', { min: minLength, length })
    : undefined;
}

/**
 * Line breaks and what else is no letter: a name with one breaks tables, lines and mails. Those at the ends are cut
 * off.
 */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** The sentence for a text that has to be one line. */
export function lineProblem(text: string): Message | undefined {
  return CONTROL.test(text.trim()) ? message('core:validation.oneLine') : undefined;
}

/** Spaces and line breaks alone, which say nothing; the empty text stands for what is not given. */
export function isBlank(text: string): boolean {
  return text !== '' && text.trim() === '';
}

const lengthsProblem = (texts: readonly string[], param: Lengths): Message | undefined =>
  texts.map((text) => lengthProblem(text, param)).find(Boolean);

interface TimeBounds {
  readonly min?: string;
  readonly max?: string;
}

/** A time that exists and, in whole or in part, lies within its bounds. */
function timeProblem(value: string, { min, max }: TimeBounds, { now, preferences }: Context): Message | undefined {
  if (parseTime(value) === undefined) return message('core:validation.time', { value });
  const [at, day] = [now(), firstDay(preferences)];
  const { from, to } = spanOf(value, at, day);
  if (min !== undefined && to < spanOf(min, at, day).from) return message('core:validation.min', { value, min });
  if (max !== undefined && from > spanOf(max, at, day).to) return message('core:validation.max', { value, max });
  return undefined;
}

/** Two valid times, the first before the second (spec 5: date picker). */
function rangeProblem(
  { start, end }: KindValues['range'],
  { min, max }: TimeBounds,
  { now, preferences }: Context,
): Message | undefined {
  for (const value of [start, end]) {
    if (parseTime(value) === undefined) return message('core:validation.time', { value });
  }
  const [at, day] = [now(), firstDay(preferences)];
  const last = spanOf(end, at, day);
  // So long before the end, whenever that is (contract: TimeRange).
  const first = spanOf(start, at, day, last.to);
  if (first.from > last.to) return message('core:validation.lessThan', { value: start, bound: end });
  if (min !== undefined && first.from < spanOf(min, at, day).from)
    return message('core:validation.min', { value: start, min });
  if (max !== undefined && last.to > spanOf(max, at, day).to)
    return message('core:validation.max', { value: end, max });
  return undefined;
}

/** `print` is how a value reads, where that is not its number: 90d. */
function bounds(
  value: number,
  { min = -Infinity, max = Infinity }: { readonly min?: number; readonly max?: number },
  print: (value: number) => number | string = (number) => number,
): Message | undefined {
  if (value < min) return message('core:validation.min', { value: print(value), min: print(min) });
  if (value > max) return message('core:validation.max', { value: print(value), max: print(max) });
  return undefined;
}

/** What each kind checks by itself; a param's own `check` comes after. */
const checks: Checks = {
  text: (value, param) =>
    lengthProblem(value, param) ??
    (isBlank(value) && !param.clears ? message('core:validation.required') : undefined) ??
    (param.multiline ? undefined : lineProblem(value)),
  number: (value, param) => {
    if (!Number.isFinite(value)) return message('core:validation.numeric');
    const wrong = param.integer ? integerProblem(value) : undefined;
    if (wrong) return wrong;
    return bounds(value, param);
  },
  flag: pass,
  duration: (value, param) =>
    Number.isFinite(value) ? bounds(value, param, printDuration) : message('core:validation.duration'),
  time: timeProblem,
  range: rangeProblem,
  choice: (value, { options }) => oneOf(value, options),
  choices: (value, { options }) => value.map((text) => oneOf(text, options)).find(Boolean),
  words: lengthsProblem,
  pairs: (value, param) => {
    // The wire's maps take `__proto__` for what they are made of, and lose it.
    const name = Object.keys(value).find((key) => key === '__proto__' || key.trim() === '');
    return name === undefined
      ? lengthsProblem([...Object.keys(value), ...Object.values(value)], param)
      : message('core:validation.pairName', { name });
  },
  secret: lengthProblem,
  file: (value, { accept, maxBytes }) => {
    const content = fileContent(value);
    if (!content) return undefined;
    const { name, mediaType, bytes } = content;
    if (!accept.includes(mediaType)) return message('core:validation.fileType', { name, types: accept.join(', ') });
    const most = Math.floor(maxBytes / 1024);
    return bytes.length > maxBytes ? message('core:validation.fileSize', { name, most }) : undefined;
  },
  ref: pass,
  refs: pass,
  many: (value, { atMost = Infinity }) =>
    'ids' in value && value.ids.length > atMost ? message('core:validation.atMost', { max: atMost }) : undefined,
  query: pass,
};

function oneOf(value: string, options: readonly string[]): Message | undefined {
  return options.includes(value)
    ? undefined
    : message('core:validation.option', { value, options: options.join(', ') });
}

/** The first thing wrong with a value that is present, as a sentence; undefined when it is fine. */
export function checkValue(param: Param, value: ArgValue, context: Context): Message | undefined {
  const blocked = param.blocked?.(context);
  if (blocked) return blocked;
  const ofKind = checks[param.kind] as (value: ArgValue, param: Param, context: Context) => Message | undefined;
  const own = param.check as ((value: ArgValue, context: Context) => Message | undefined) | undefined;
  return ofKind(value, param, context) ?? own?.(value, context);
}
