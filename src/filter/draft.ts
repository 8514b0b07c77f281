import type { AnyEntity } from '#commands/model/entity.ts';
import { chips } from '#commands/query/chips.ts';
import { canonicalText } from '#commands/query/edit.ts';
import { type ParsedFilter, parseFilter } from '#commands/query/parse.ts';
import type { Problem } from '#commands/query/problem.ts';

/**
 * A filter being edited, with its complete terms as chips and the text in the input. It is immutable, so every keypress
 * turns one draft into the next.
 */
export interface Draft {
  /** Complete terms, as typed. */
  readonly chips: readonly string[];
  /** The text in the input. */
  readonly typing: string;
  /** The chip that arrow keys have reached. Undefined while the cursor is in the input. */
  readonly activeChip: number | undefined;
  /** True if everything is selected. The next key replaces it. */
  readonly allSelected?: true;
}

export const EMPTY: Draft = { chips: [], typing: '', activeChip: undefined };

export function createDraft(filter: ParsedFilter): Draft {
  return { ...EMPTY, chips: chips(filter).map((chip) => chip.text) };
}

export function textOf({ chips, typing }: Draft): string {
  return [...chips, typing.trim()].filter(Boolean).join(' ');
}

/** Returns the canonical text of a valid filter. Undefined if any part is invalid. */
export function validText(filter: ParsedFilter): string | undefined {
  return filter.problems.length > 0 ? undefined : canonicalText(filter);
}

/** A problem in a draft's text. `chips` are the indexes of the affected chips. */
export interface DraftProblem {
  readonly problem: Problem;
  readonly chips: readonly number[];
  /** True if the problem extends to the cursor, so further typing can fix it. */
  readonly open: boolean;
}

/**
 * Returns a draft's problems.
 *
 * @param filter the draft's text, parsed
 */
export function findProblems(draft: Draft, { text, problems }: ParsedFilter): readonly DraftProblem[] {
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

/** Turns the typed text into chips at a space, unless the space is inside quotes or the term is incomplete. */
export function typeText(previous: Draft, typing: string, entity: AnyEntity): Draft {
  const draft = previous.allSelected ? EMPTY : previous;
  const endsTerm = /\s$/.test(typing) && typing.trim() !== '';
  if (!endsTerm || hasOpenQuote(typing)) return { chips: draft.chips, typing, activeChip: undefined };
  if (parseFilter(typing.trim(), entity).problems.length > 0)
    return { chips: draft.chips, typing, activeChip: undefined };
  // Parse the chips and the text together, because `last`, `>`, and `2d` are one term.
  return createDraft(parseFilter([...draft.chips, typing.trim()].join(' '), entity));
}

function hasOpenQuote(text: string): boolean {
  return (text.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1;
}

/** Turns one chip back into text for editing. The text typed so far becomes a chip. */
export function editChip(draft: Draft, index: number): Draft {
  const text = draft.chips[index];
  if (text === undefined) return draft;
  const otherChips = draft.chips.filter((_, position) => position !== index);
  return {
    chips: draft.typing.trim() ? [...otherChips, draft.typing.trim()] : otherChips,
    typing: text,
    activeChip: undefined,
  };
}

export function removeChip(draft: Draft, index: number): Draft {
  const chips = draft.chips.filter((_, position) => position !== index);
  return {
    chips,
    typing: draft.typing,
    activeChip: chips.length === 0 ? undefined : Math.min(index, chips.length - 1),
  };
}

/** Removes the active chip, or the last chip if the cursor is in the input. */
export function removeChipBefore(draft: Draft): Draft {
  return { ...removeChip(draft, draft.activeChip ?? draft.chips.length - 1), activeChip: undefined };
}

/** Moves left or right over the chips and into the input, which follows the last chip. */
export function moveOverChips(draft: Draft, step: 1 | -1): Draft {
  const from = draft.activeChip ?? draft.chips.length;
  const to = Math.max(0, from + step);
  return { chips: draft.chips, typing: draft.typing, activeChip: to >= draft.chips.length ? undefined : to };
}
