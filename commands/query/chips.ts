import type { Message } from '#commands/text/message.ts';

import type { ParsedFilter } from './parse.ts';

/** One piece of the filter line, as a chip that can be focused, edited as text, or removed. */
export interface Chip {
  readonly from: number;
  readonly to: number;
  /** The text as typed. */
  readonly text: string;
  readonly kind: 'term' | 'word' | 'sort' | 'group' | 'problem';
  /** The problem, if the chip is invalid. */
  readonly problem?: Message;
}

/** Returns the chips of a filter, left to right. */
export function chips({ text, tokens }: ParsedFilter): readonly Chip[] {
  return tokens.map(({ token: { from, to }, part }) => {
    const kind =
      'term' in part
        ? 'term'
        : 'word' in part
          ? 'word'
          : 'sort' in part
            ? 'sort'
            : 'group' in part
              ? 'group'
              : 'problem';
    return {
      from,
      to,
      text: text.slice(from, to),
      kind,
      ...('problem' in part ? { problem: part.problem.message } : {}),
    };
  });
}
