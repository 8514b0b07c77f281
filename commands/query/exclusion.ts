import { CommandError } from '../core/errors.ts';
import { message } from '../core/message.ts';
import { quoteValue } from './tokens.ts';

/** Terms of one key that no item can fulfil together: it has one such value, and these are several. */
export class Exclusion extends CommandError {
  readonly key: string;
  /** The term that any of them fulfils. */
  readonly either: string;

  constructor(key: string, values: readonly string[]) {
    const either = `${key}:${[...new Set(values)].map(quoteValue).join(',')}`;
    super(message('common:filter.exclusion', { key, values: [...new Set(values)].join(' · '), either }));
    this.name = 'Exclusion';
    this.key = key;
    this.either = either;
  }
}
