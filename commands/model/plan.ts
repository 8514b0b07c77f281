import { message, type Message } from '#commands/text/message.ts';

/** The display text of a value: a {@link Message} if it depends on the language. `undefined` means empty. */
export type ValueText = string | Message | undefined;

/** A changed line of a text. A line that is added has no text before, and one that is removed has no text after. */
export interface ChangedLine {
  /** The number of the line, from 1, in the new text or, if it is removed, in the old one. */
  readonly line: number;
  /** The name of the part that the line belongs to. */
  readonly part?: string;
  readonly before?: string;
  readonly after?: string;
}

/** One field of one item, before and after a change. A change to a list has only the entries added and removed. */
export interface Change {
  readonly id: string;
  readonly label: string;
  readonly field: Message;
  readonly before?: ValueText;
  readonly after?: ValueText;
  readonly added?: readonly (string | Message)[];
  readonly removed?: readonly (string | Message)[];
  /** For a text whose lines are the list: its first changed lines, and the number of further ones. */
  readonly lines?: { readonly shown: readonly ChangedLine[]; readonly moreCount: number };
}

/** Items that change in the same way. */
export interface ChangeGroup {
  /** One of their changes, as an example. */
  readonly change: Change;
  readonly count: number;
}

/** The changes to one field of a plan's items, the most frequent change first. */
export interface FieldChanges {
  readonly field: Message;
  readonly count: number;
  readonly groups: readonly ChangeGroup[];
}

/** True if the field is a list. Such a change has entries added and removed instead of values before and after. */
export function isListChange({ added, removed }: Change): boolean {
  return added !== undefined || removed !== undefined;
}

/** Returns the name of a changed field as a label. Within a sentence, the name is in lowercase. */
export function fieldLabel(field: Message): Message {
  return message('core:fieldLabel', { field });
}

/** Returns the number of a changed line, and the part that it belongs to. */
export function lineLabel({ line, part }: ChangedLine): Message {
  return part === undefined ? message('core:changedLine', { line }) : message('core:changedLineOf', { line, part });
}

/**
 * The changes that a command would make, shown before running it. Enter makes exactly these changes, because the items
 * were looked up for the plan.
 */
export interface Plan {
  /** "Assign 'Needs visit' to 214 devices". The surface adds the organization's name. */
  readonly summary: Message;
  /** Number of items affected. */
  readonly count: number;
  readonly changes: readonly Change[];
  /**
   * The changes as an undo plans them, if it plans changes to other items: for example, a row of an import becomes a
   * change of a process point. `source` is the id in `changes`. Undo compares them to detect later changes.
   */
  readonly comparedChanges?: readonly (Change & { readonly source: string })[];
  /**
   * What the run changes, by the ids of its results, for a command without a target. A run that is stored needs it to
   * know what is left.
   */
  readonly items?: readonly { readonly id: string; readonly label: string }[];
  /** The number of items per change, if only counts are known. Otherwise, it is derived from `changes`. */
  readonly changeCounts?: readonly FieldChanges[];
  /** Remarks such as "61 already have it" or "creates the tag". */
  readonly notes?: readonly Message[];
  /** The first lines of a file that the command would create. A plan with a sample is always shown. */
  readonly sample?: string;
  /** Runs in stages (`run/stages.ts`), because it changes many items. */
  readonly staged?: true;
  readonly reversible: boolean;
  /** Affects only the caller, so the surface names no organization. */
  readonly personal?: true;
  /** Runs without confirmation even though it cannot be undone, because it destroys nothing. */
  readonly harmless?: boolean;
  /** The text that the user types to confirm an irreversible action: the count or the name. */
  readonly confirm?: string;
}

/** True if a plan has nothing to change, because everything is already as requested. */
export function changesNothing(plan: Plan | undefined): boolean {
  return plan?.count === 0;
}
