import type { FilterKey } from '../core/filter.ts';
import { message, type Message } from '../core/message.ts';
import { parseMoment } from '../core/time.ts';

/** A value in its one canonical text, or the sentence that says what would be right. */
export type Checked = { readonly value: string } | { readonly problem: Message };

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'off', '0']);

/** The name in `options` that a text means: any case, with `-` or a space for `_`. */
export function matchOption(text: string, options: readonly string[]): string | undefined {
  const loose = (each: string): string => each.toLowerCase().replace(/[\s-]/g, '_');
  return options.find((option) => option === text) ?? options.find((option) => loose(option) === loose(text));
}

export function checkFilterValue(name: string, key: FilterKey<unknown>, text: string, at: number): Checked {
  const said = { key: name, value: text, at };
  switch (key.kind) {
    case 'choice': {
      const options = key.options;
      if (!options) return { value: key.canonical?.(text) ?? text };
      const value = matchOption(text, options);
      return value === undefined
        ? { problem: message('core:query.option', { ...said, options: options.join(', ') }) }
        : { value };
    }
    case 'time': {
      const value = parseMoment(text);
      return value === undefined ? { problem: message('core:query.time', said) } : { value };
    }
    case 'number': {
      const number = text.trim() === '' ? NaN : Number(text);
      return Number.isFinite(number) ? { value: String(number) } : { problem: message('core:query.number', said) };
    }
    case 'flag': {
      const word = text.toLowerCase();
      if (YES.has(word)) return { value: 'true' };
      return NO.has(word) ? { value: 'false' } : { problem: message('core:query.flag', said) };
    }
    case 'text':
    case 'name':
      return text === '' ? { problem: message('core:query.empty', said) } : { value: key.canonical?.(text) ?? text };
  }
}
