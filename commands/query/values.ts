import type { FilterKey } from '#commands/model/filter.ts';
import { parseMoment } from '#commands/model/moment.ts';
import { message, type Message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';

import { looseName } from './patterns.ts';

/** The canonical text of a value, or a message with suggestions. */
export type CheckResult =
  | { readonly value: string }
  | { readonly problem: Message; readonly nearMatches: readonly string[] };

const TRUE_WORDS: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);

/** Finds the option with the given name. Ignores case, and treats `-` and spaces as `_`. */
export function matchOption(text: string, options: readonly string[]): string | undefined {
  return options.find((option) => option === text) ?? options.find((option) => looseName(option) === looseName(text));
}

export function checkFilterValue(name: string, key: FilterKey<unknown>, text: string, position: number): CheckResult {
  const values = { key: name, value: text, position };
  const reject = (problem: Message, nearMatches: readonly string[] = []): CheckResult => ({ problem, nearMatches });
  switch (key.kind) {
    case 'choice': {
      const options = key.options;
      if (!options) return { value: key.canonical?.(text) ?? text };
      const value = matchOption(text, options);
      if (value !== undefined) return { value };
      const nearMatches = nearestNames(text, options);
      return nearMatches.length > 0
        ? reject(message('core:query.optionNear', { ...values, near: nearMatches.join(', ') }), nearMatches)
        : reject(message('core:query.option', { ...values, options: options.join(', ') }));
    }
    case 'time': {
      const value = parseMoment(text);
      return value === undefined ? reject(message('core:query.time', values), withUnit(text)) : { value };
    }
    case 'number': {
      const canonical = key.canonical?.(text) ?? text;
      const number = canonical.trim() === '' ? NaN : Number(canonical);
      return Number.isFinite(number) ? { value: String(number) } : reject(message('core:query.number', values));
    }
    case 'flag': {
      const word = text.toLowerCase();
      if (TRUE_WORDS.has(word)) return { value: 'true' };
      return FALSE_WORDS.has(word) ? { value: 'false' } : reject(message('core:query.flag', values), ['true', 'false']);
    }
    case 'text':
    case 'name': {
      if (text === '') return reject(message('core:query.empty', values));
      const value = key.canonical?.(text) ?? text;
      const problem = key.check?.(value);
      return problem ? reject(problem) : { value };
    }
  }
}

/** Returns the ages that a number without a unit could mean. */
function withUnit(text: string): readonly string[] {
  return /^\d+$/.test(text) ? [`${text}d`, `${text}h`] : [];
}
