import type { FilterKey } from '#commands/model/filter.ts';
import { message, type Message } from '#commands/text/message.ts';
import { parseMoment } from '#commands/model/time.ts';
import { nearest } from '#commands/text/near.ts';
import { looseName } from './patterns.ts';

/**
 * A value in its one canonical text, or the sentence that says what would be right, with the values that were
 * probably meant.
 */
export type Checked = { readonly value: string } | { readonly problem: Message; readonly near: readonly string[] };

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);

/** The name in `options` that a text means: any case, with `-` or a space for `_`. */
export function matchOption(text: string, options: readonly string[]): string | undefined {
  return options.find((option) => option === text) ?? options.find((option) => looseName(option) === looseName(text));
}

export function checkFilterValue(name: string, key: FilterKey<unknown>, text: string, at: number): Checked {
  const sentence = { key: name, value: text, at };
  const refuse = (problem: Message, near: readonly string[] = []): Checked => ({ problem, near });
  switch (key.kind) {
    case 'choice': {
      const options = key.options;
      if (!options) return { value: key.canonical?.(text) ?? text };
      const value = matchOption(text, options);
      if (value !== undefined) return { value };
      const near = nearest(text, options);
      return near.length > 0
        ? refuse(message('core:query.optionNear', { ...sentence, near: near.join(', ') }), near)
        : refuse(message('core:query.option', { ...sentence, options: options.join(', ') }));
    }
    case 'time': {
      const value = parseMoment(text);
      return value === undefined ? refuse(message('core:query.time', sentence), withUnit(text)) : { value };
    }
    case 'number': {
      const number = text.trim() === '' ? NaN : Number(text);
      return Number.isFinite(number) ? { value: String(number) } : refuse(message('core:query.number', sentence));
    }
    case 'flag': {
      const word = text.toLowerCase();
      if (YES.has(word)) return { value: 'true' };
      return NO.has(word) ? { value: 'false' } : refuse(message('core:query.flag', sentence), ['true', 'false']);
    }
    case 'text':
    case 'name': {
      if (text === '') return refuse(message('core:query.empty', sentence));
      const value = key.canonical?.(text) ?? text;
      const problem = key.check?.(value);
      return problem ? refuse(problem) : { value };
    }
  }
}

/** A bare number as the ages it could be. */
function withUnit(text: string): readonly string[] {
  return /^\d+$/.test(text) ? [`${text}d`, `${text}h`] : [];
}
