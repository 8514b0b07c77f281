import type { Message } from '#commands/text/message.ts';

import type { ItemRef } from './column.ts';
import { isRejection, type Failure } from './errors.ts';

/** The result for one item. */
export interface ItemResult {
  readonly id: string;
  readonly label: string;
  readonly failure?: Failure;
  /** True for an item that was not tried because the run was canceled first. */
  readonly skipped?: boolean;
  /** The item under its new id, if the change renamed it. The contract identifies some items by name. */
  readonly renamedTo?: ItemRef;
}

/** A secret that the surface shows once and never stores. */
export interface Reveal {
  readonly label: Message;
  readonly value: string;
}

/** The result of a run. A run throws only if it could not try anything. Otherwise, failed items are in `results`. */
export interface Outcome {
  /** Names of the entities whose lists and items are now stale. */
  readonly changed?: readonly string[];
  readonly results?: readonly ItemResult[];
  /** "Assigned 'Needs visit' to 214 devices". */
  readonly message?: Message;
  readonly reveal?: Reveal;
  /** Data for the CLI's `--json` output and for `inverse`, such as the ids of created items. */
  readonly data?: unknown;
}

export function failedResults(outcome: Outcome): readonly ItemResult[] {
  return (outcome.results ?? []).filter((result) => result.failure);
}

export function skippedResults(outcome: Outcome): readonly ItemResult[] {
  return (outcome.results ?? []).filter((result) => result.skipped);
}

export function succeededResults(outcome: Outcome): readonly ItemResult[] {
  return (outcome.results ?? []).filter((result) => !result.failure && !result.skipped);
}

/** What happened to an item. `unknown` means that there was no response, so it may have changed. */
export const RESULT_KINDS = ['failed', 'unknown', 'skipped', 'done'] as const;
export type ResultKind = (typeof RESULT_KINDS)[number];

export function resultKind({ failure, skipped }: ItemResult): ResultKind {
  if (skipped) return 'skipped';
  if (!failure) return 'done';
  return isRejection(failure) ? 'failed' : 'unknown';
}

/**
 * Returns the results that undo should revert: all except those of items that certainly didn't change. A call whose
 * response was lost may have been carried out.
 */
export function maybeChanged(outcome: Outcome): readonly ItemResult[] {
  return (outcome.results ?? []).filter(({ failure, skipped }) => !skipped && !(failure && isRejection(failure)));
}
