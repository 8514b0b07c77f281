import type { Message } from '#commands/text/message.ts';

/** How a value reads: a {@link Message} where the text is of the interface's language. `undefined` means empty. */
export type ValueText = string | Message | undefined;

/** One field of one item, before and after; of a list only what joins it and what leaves it. */
export interface Change {
  readonly id: string;
  readonly label: string;
  readonly field: Message;
  readonly before?: ValueText;
  readonly after?: ValueText;
  readonly added?: readonly (string | Message)[];
  readonly removed?: readonly (string | Message)[];
}

/** Items that change in the same way. */
export interface ChangeGroup {
  /** One of them, which says how all of them change. */
  readonly change: Change;
  readonly count: number;
}

/** How the items of a plan change in one field, the most frequent way first. */
export interface FieldChanges {
  readonly field: Message;
  readonly count: number;
  readonly groups: readonly ChangeGroup[];
}

/** Whether a change is of a list, and so has no values before and after. */
export function isListChange({ added, removed }: Change): boolean {
  return added !== undefined || removed !== undefined;
}

/**
 * What a command would do, said before it does it. Enter runs exactly this: the items were looked up when the plan was
 * made.
 */
export interface Plan {
  /** "Assign 'Needs visit' to 214 devices"; the surface adds the organization's name. */
  readonly summary: Message;
  /** How many items it touches. */
  readonly count: number;
  readonly changes: readonly Change[];
  /** How many items change how, where only that was counted; else it follows from `changes`. */
  readonly counted?: readonly FieldChanges[];
  /** Remarks such as "61 already have it" or "creates the tag". */
  readonly notes?: readonly Message[];
  readonly reversible: boolean;
  /** Affects only the caller: no organization is named with it. */
  readonly personal?: true;
  /** Runs without a look although there is no way back: it destroys nothing. */
  readonly harmless?: boolean;
  /** What must be typed to go ahead: the count or the name, for what cannot be undone. */
  readonly confirm?: string;
}

/** Whether everything is already as the plan would leave it. */
export function changesNothing(plan: Plan | undefined): boolean {
  return plan?.count === 0;
}
