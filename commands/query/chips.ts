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

/** Returns the text without a chip, and the new cursor position. */
export function removeChip(
  text: string,
  { from, to }: Pick<Chip, 'from' | 'to'>,
): { readonly text: string; readonly cursor: number } {
  const before = text.slice(0, from).trimEnd();
  const after = text.slice(to).trimStart();
  const joinedText = before && after ? `${before} ${after}` : before + after;
  return { text: joinedText, cursor: before && after ? before.length + 1 : before.length };
}
