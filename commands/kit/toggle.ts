import type { Command } from '#commands/model/command.ts';
import type { Message } from '#commands/text/message.ts';

import { bulkAction, type BulkSpec } from './bulk-action.ts';

type Spec<Item> = BulkSpec<Item, Record<never, never>>;

/** One of the two states, and the action that leads to it. */
interface Side<Item> extends Pick<Spec<Item>, 'verb' | 'keys' | 'notes' | 'isUndoable' | 'call'> {
  /** False for an item that is already in this state. */
  readonly appliesTo: NonNullable<Spec<Item>['appliesTo']>;
  /** The display text of this state. */
  readonly state: Message;
}

interface Toggle<Item> extends Pick<Spec<Item>, 'entity' | 'requires' | 'size' | 'organization' | 'changed'> {
  /** The field that shows the state. */
  readonly field: Message;
  /** The display text of an item's current state, which may be a third state. */
  readonly current: (item: Item) => string | Message;
  readonly on: Side<Item>;
  readonly off: Side<Item>;
}

/** Declares two actions on many items that undo each other, such as enable and disable, or suspend and unsuspend. */
export function toggle<Item>({ field, current, on, off, ...shared }: Toggle<Item>): {
  readonly on: Command;
  readonly off: Command;
} {
  const action = ({ state, ...side }: Side<Item>, oppositeSide: Side<Item>): Command =>
    bulkAction({
      ...shared,
      ...side,
      change: (item) => ({ field, before: current(item), after: state }),
      undo: oppositeSide.verb,
    });
  return { on: action(on, off), off: action(off, on) };
}
