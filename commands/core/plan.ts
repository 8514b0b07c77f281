import type { Message } from './message.ts';

/** One field of one item, before and after. `undefined` means empty. */
export interface Change {
  readonly id: string;
  readonly label: string;
  readonly field: Message;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * What a command would do, said before it does it. Enter runs exactly this: the items were looked up when the plan was made.
 */
export interface Plan {
  /** "Assign 'Needs visit' to 214 devices"; the surface adds the organization's name. */
  readonly summary: Message;
  /** How many items it touches. */
  readonly count: number;
  readonly changes: readonly Change[];
  /** Remarks such as "61 already have it" or "creates the tag". */
  readonly notes?: readonly Message[];
  readonly reversible: boolean;
  /** What must be typed to go ahead: the count or the name, for what cannot be undone. */
  readonly confirm?: string;
}
