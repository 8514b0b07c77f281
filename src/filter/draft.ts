import type { AnyEntity } from '#commands/core/entity';
import { canonicalText, chips as chipsOf } from '#commands/query/edit';

/**
 * A filter while it is being typed: whole terms as chips, and the piece under the cursor as text. Pure, so that every key is a function from one
 * draft to the next.
 */
export interface Draft {
  /** Terms as typed, each one whole. */
  readonly chips: readonly string[];
  /** What is in the input. */
  readonly typing: string;
  /** The chip that arrow keys are on; undefined while the cursor is in the input. */
  readonly at: number | undefined;
}

export function draftOf(text: string, entity: AnyEntity): Draft {
  return { chips: chipsOf(text, entity).map((chip) => chip.text), typing: '', at: undefined };
}

export function textOf({ chips, typing }: Draft): string {
  return [...chips, typing.trim()].filter(Boolean).join(' ');
}

/** The canonical text of a draft, or undefined while something in it does not parse. */
export function goodText(draft: Draft, entity: AnyEntity): string | undefined {
  const text = textOf(draft);
  return chipsOf(text, entity).some((chip) => chip.problem) ? undefined : canonicalText(text, entity);
}

/** What is typed becomes chips at a space, unless the space is inside quotes or the term is not finished. */
export function typed(draft: Draft, typing: string, entity: AnyEntity): Draft {
  const ended = /\s$/.test(typing) && typing.trim() !== '';
  if (!ended || hasOpenQuote(typing)) return { ...draft, typing, at: undefined };
  const parts = chipsOf(typing.trim(), entity);
  if (parts.some((part) => part.problem)) return { ...draft, typing, at: undefined };
  return { chips: [...draft.chips, ...parts.map((part) => part.text)], typing: '', at: undefined };
}

function hasOpenQuote(text: string): boolean {
  return (text.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1;
}

/** Makes one chip text again, to be edited; what was being typed becomes a chip where it parses, or stays in front. */
export function editChip(draft: Draft, index: number): Draft {
  const text = draft.chips[index];
  if (text === undefined) return draft;
  const rest = draft.chips.filter((_, each) => each !== index);
  return { chips: draft.typing.trim() ? [...rest, draft.typing.trim()] : rest, typing: text, at: undefined };
}

export function removeChip(draft: Draft, index: number): Draft {
  const chips = draft.chips.filter((_, each) => each !== index);
  return { ...draft, chips, at: chips.length === 0 ? undefined : Math.min(index, chips.length - 1) };
}

/** Left and right over the chips; beyond the last one lies the input. */
export function walk(draft: Draft, by: 1 | -1): Draft {
  const from = draft.at ?? draft.chips.length;
  const to = Math.max(0, from + by);
  return { ...draft, at: to >= draft.chips.length ? undefined : to };
}
