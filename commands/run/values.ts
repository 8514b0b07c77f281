import type { ArgValue, Kind, KindValues } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import { fileContent, fileEndings, fileSizeProblem, isAccepted, shownFileName } from '#commands/model/files.ts';
import type { Param, ParamShapes } from '#commands/model/kinds.ts';
import { parseTime, toSpan } from '#commands/model/time.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { printDuration } from '#commands/text/duration.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';

import { integerProblem } from './integers.ts';

type Checks = {
  readonly [K in Kind]: (value: KindValues[K], param: ParamShapes[K], context: Context) => Message | undefined;
};

const pass = (): undefined => undefined;

export interface Lengths {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Checks the length of text, ignoring surrounding spaces as the server does. */
export function lengthProblem(
  text: string,
  { minLength = 0, maxLength = MAX_LENGTH.text }: Lengths,
): Message | undefined {
  const { length } = text.trim();
  if (length > maxLength) return message('core:validation.maxLength', { max: maxLength, length });
  // An empty string clears the value. Another check reports it if that is not allowed.
  return length > 0 && length < minLength
    ? message('core:validation.minLength', { min: minLength, length })
    : undefined;
}

/**
 * Control characters, including line breaks. In a name, they would break tables, lines, and emails. Leading and
 * trailing control characters are trimmed first.
 */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** Returns the message for text that must be a single line. */
export function lineProblem(text: string): Message | undefined {
  return CONTROL.test(text.trim()) ? message('core:validation.oneLine') : undefined;
}

/**
 * True for text that consists only of whitespace, which isn't a value. An empty string isn't blank, because it means
 * that there is no value.
 */
export function isBlank(text: string): boolean {
  return text !== '' && text.trim() === '';
}

const lengthsProblem = (values: readonly string[], param: Lengths): Message | undefined =>
  values.map((text) => lengthProblem(text, param)).find(Boolean);

interface TimeBounds {
  readonly min?: string;
  readonly max?: string;
}

/** Checks that a time is valid and that at least part of it lies within its bounds. */
function timeProblem(value: string, { min, max }: TimeBounds, { now, preferences }: Context): Message | undefined {
  if (parseTime(value) === undefined) return message('core:validation.time', { value });
  const [current, weekStart] = [now(), firstDay(preferences)];
  const { from, to } = toSpan(value, current, weekStart);
  if (min !== undefined && to < toSpan(min, current, weekStart).from)
    return message('core:validation.min', { value, min });
  if (max !== undefined && from > toSpan(max, current, weekStart).to)
    return message('core:validation.max', { value, max });
  return undefined;
}

/** Checks that both times are valid and in order (spec 5: date picker). */
function rangeProblem(
  { start, end }: KindValues['range'],
  { min, max }: TimeBounds,
  { now, preferences }: Context,
): Message | undefined {
  for (const value of [start, end]) {
    if (parseTime(value) === undefined) return message('core:validation.time', { value });
  }
  const [current, weekStart] = [now(), firstDay(preferences)];
  const last = toSpan(end, current, weekStart);
  // A signed start counts back from the end (contract: TimeRange).
  const first = toSpan(start, current, weekStart, last.to);
  if (first.from > last.to) return message('running:values.order', { from: start, to: end });
  if (min !== undefined && first.from < toSpan(min, current, weekStart).from)
    return message('core:validation.min', { value: start, min });
  if (max !== undefined && last.to > toSpan(max, current, weekStart).to)
    return message('core:validation.max', { value: end, max });
  return undefined;
}

/** Checks the bounds of a number. `print` formats numbers for the message, such as the duration `90d`. */
function boundsProblem(
  value: number,
  { min = -Infinity, max = Infinity }: { readonly min?: number; readonly max?: number },
  print: (value: number) => number | string = (number) => number,
): Message | undefined {
  if (value < min) return message('core:validation.min', { value: print(value), min: print(min) });
  if (value > max) return message('core:validation.max', { value: print(value), max: print(max) });
  return undefined;
}

/** The checks by kind. A param's own `check` runs afterwards. */
const checks: Checks = {
  text: (value, param) =>
    lengthProblem(value, param) ??
    (isBlank(value) && !param.clears ? message('core:validation.required') : undefined) ??
    (param.multiline ? undefined : lineProblem(value)),
  number: (value, param) => {
    if (!Number.isFinite(value)) return message('core:validation.numeric');
    const problem = param.integer ? integerProblem(value) : undefined;
    if (problem) return problem;
    return boundsProblem(value, param);
  },
  flag: pass,
  duration: (value, param) =>
    Number.isFinite(value) ? boundsProblem(value, param, printDuration) : message('core:validation.duration'),
  time: timeProblem,
  range: rangeProblem,
  choice: (value, { options }) => optionProblem(value, options),
  choices: (value, { options }) => value.map((text) => optionProblem(text, options)).find(Boolean),
  words: lengthsProblem,
  pairs: (value, param) => {
    // Protobuf maps treat `__proto__` as the prototype and lose it.
    const name = Object.keys(value).find((key) => key === '__proto__' || key.trim() === '');
    return name === undefined
      ? lengthsProblem([...Object.keys(value), ...Object.values(value)], param)
      : message('core:validation.pairName', { name });
  },
  secret: lengthProblem,
  file: fileProblem,
  files: (values, param) =>
    values.length > param.atMost
      ? message('core:validation.atMost', { max: param.atMost })
      : values.map((value) => fileProblem(value, param)).find(Boolean),
  ref: pass,
  refs: pass,
  many: (value, { atMost = Infinity }) =>
    'ids' in value && value.ids.length > atMost ? message('core:validation.atMost', { max: atMost }) : undefined,
  query: pass,
};

function fileProblem(
  value: string,
  { accept, maxBytes }: Pick<ParamShapes['file'], 'accept' | 'maxBytes'>,
): Message | undefined {
  const content = fileContent(value);
  if (!content) return undefined;
  const { name, mediaType, bytes } = content;
  if (!isAccepted(mediaType, accept)) {
    const types = fileEndings(accept).join(', ');
    return message('core:validation.fileType', { name: shownFileName(name), types });
  }
  return fileSizeProblem(name, bytes.length, maxBytes);
}

function optionProblem(value: string, options: readonly string[]): Message | undefined {
  return options.includes(value)
    ? undefined
    : message('core:validation.option', { value, options: options.join(', ') });
}

/** Returns a message about the first problem with a value, or undefined if the value is valid. */
export function checkValue(param: Param, value: ArgValue, context: Context): Message | undefined {
  const blockedReason = param.blockedReason?.(context);
  if (blockedReason) return blockedReason;
  const checkKind = checks[param.kind] as (value: ArgValue, param: Param, context: Context) => Message | undefined;
  const checkOwn = param.check as ((value: ArgValue, context: Context) => Message | undefined) | undefined;
  return checkKind(value, param, context) ?? checkOwn?.(value, context);
}
