import type { AnyEntity } from '#commands/model/entity.ts';
import { canonicalText, chips } from '#commands/query/edit.ts';
import { type ParsedFilter, parseFilter } from '#commands/query/parse.ts';
import type { Problem } from '#commands/query/problem.ts';

/**
 * A filter while it is being typed: whole terms as chips, and the piece under the cursor as text. Pure, so that every
 * key is a function from one draft to the next.
 */
export interface Draft {
  /** Terms as typed, each one whole. */
  readonly chips: readonly string[];
  /** What is in the input. */
  readonly typing: string;
  /** The chip that arrow keys are on; undefined while the cursor is in the input. */
  readonly at: number | undefined;
  /** All of it is selected, so that the next key replaces all of it. */
  readonly all?: true;
}

export const EMPTY: Draft = { chips: [], typing: '', at: undefined };

export function draftOf(filter: ParsedFilter): Draft {
  return { ...EMPTY, chips: chips(filter).map((chip) => chip.text) };
}

export function textOf({ chips, typing }: Draft): string {
  return [...chips, typing.trim()].filter(Boolean).join(' ');
}

/** The canonical text of what is typed, or undefined while something in it does not parse. */
export function goodText(filter: ParsedFilter): string | undefined {
  return filter.problems.length > 0 ? undefined : canonicalText(filter);
}

/** What does not parse, in the whole text; `chips` are those it is about. */
export interface DraftProblem {
  readonly problem: Problem;
  readonly chips: readonly number[];
  /** It reaches the cursor, so that typing on may still make it right. */
  readonly open: boolean;
}

/** @param filter the draft's text, parsed */
export function problemsOf(draft: Draft, { text, problems }: ParsedFilter): readonly DraftProblem[] {
  let end = -1;
  const spans = draft.chips.map((chip) => {
    const from = end + 1;
    end = from + chip.length;
    return { from, to: end };
  });
  return problems.map((problem) => ({
    problem,
    chips: spans.flatMap(({ from, to }, index) => (problem.from < to && problem.to > from ? [index] : [])),
    open: /\S$/.test(draft.typing) && problem.to === text.length,
  }));
}

/** What is typed becomes chips at a space, unless the space is inside quotes or the term is not finished. */
export function typed(before: Draft, typing: string, entity: AnyEntity): Draft {
  const draft = before.all ? EMPTY : before;
  const ended = /\s$/.test(typing) && typing.trim() !== '';
  if (!ended || hasOpenQuote(typing)) return { chips: draft.chips, typing, at: undefined };
  if (parseFilter(typing.trim(), entity).problems.length > 0) return { chips: draft.chips, typing, at: undefined };
  // Read together: `last`, `>` and `2d` are one term.
  return draftOf(parseFilter([...draft.chips, typing.trim()].join(' '), entity));
}

function hasOpenQuote(text: string): boolean {
  return (text.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1;
}

/** Makes one chip text again, to be edited; what was being typed becomes a chip where it parses, or stays in front. */
export function editChip(draft: Draft, index: number): Draft {
  const text = draft.chips[index];
  if (text === undefined) return draft;
  const rest = draft.chips.filter((_, value) => value !== index);
  return { chips: draft.typing.trim() ? [...rest, draft.typing.trim()] : rest, typing: text, at: undefined };
}

export function removeChip(draft: Draft, index: number): Draft {
  const chips = draft.chips.filter((_, value) => value !== index);
  return { chips, typing: draft.typing, at: chips.length === 0 ? undefined : Math.min(index, chips.length - 1) };
}

/** Removes the chip before the cursor, whole. */
export function removeBefore(draft: Draft): Draft {
  return { ...removeChip(draft, draft.at ?? draft.chips.length - 1), at: undefined };
}

/** Left and right over the chips; beyond the last one lies the input. */
export function walk(draft: Draft, by: 1 | -1): Draft {
  const from = draft.at ?? draft.chips.length;
  const to = Math.max(0, from + by);
  return { chips: draft.chips, typing: draft.typing, at: to >= draft.chips.length ? undefined : to };
}
