import { isRefusal, type Failure } from './errors.ts';
import type { Message } from '#commands/text/message.ts';

/** What became of one item. */
export interface ItemResult {
  readonly id: string;
  readonly label: string;
  readonly failure?: Failure;
  /** True for an item that was not tried because the run was cancelled before it. */
  readonly skipped?: boolean;
}

/** A secret that is shown once and never kept: the surface shows it and forgets it. */
export interface Reveal {
  readonly label: Message;
  readonly value: string;
}

/** What a run did. A command with per-item failures still resolves; it throws only when nothing could be tried. */
export interface Outcome {
  /** Names of the entities whose lists and items are now out of date. */
  readonly changed?: readonly string[];
  readonly results?: readonly ItemResult[];
  /** "Assigned 'Needs visit' to 214 devices". */
  readonly message?: Message;
  readonly reveal?: Reveal;
  /** What the CLI prints with `--json`, and what `inverse` may need (ids of what was created). */
  readonly data?: unknown;
}

export function failed(outcome: Outcome): readonly ItemResult[] {
  return (outcome.results ?? []).filter((result) => result.failure);
}

export function skipped(outcome: Outcome): readonly ItemResult[] {
  return (outcome.results ?? []).filter((result) => result.skipped);
}

export function succeeded(outcome: Outcome): readonly ItemResult[] {
  return (outcome.results ?? []).filter((result) => !result.failure && !result.skipped);
}

/** What undo takes back: all but what was certainly left alone. A call whose answer was lost may have been done. */
export function maybeChanged(outcome: Outcome): readonly ItemResult[] {
  return (outcome.results ?? []).filter(
    ({ failure, skipped: untried }) => !untried && !(failure && isRefusal(failure)),
  );
}
