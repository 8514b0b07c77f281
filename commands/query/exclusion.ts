import { CommandError } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';

import { quoteValue } from './quote.ts';

/** Thrown if several terms use a key that has a single value. No item can match all of them. */
export class ExclusionError extends CommandError {
  readonly key: string;
  /** The term that matches any of the values. */
  readonly anyOfTerm: string;

  /** @param entity the listed entity, for “No device has two lifecycles” */
  constructor(key: string, values: readonly string[], entity: Message, pluralMessage: Message | undefined) {
    const anyOfTerm = `${key}:${[...new Set(values)].map(quoteValue).join(',')}`;
    const text = { key, entity, either: anyOfTerm };
    super(
      pluralMessage
        ? message('common:filter.exclusionOf', { ...text, several: pluralMessage })
        : message('common:filter.exclusion', text),
    );
    this.name = 'Exclusion';
    this.key = key;
    this.anyOfTerm = anyOfTerm;
  }
}
