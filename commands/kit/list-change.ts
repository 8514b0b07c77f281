import type { Command, Resolved } from '#commands/model/command.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { groupBy } from '#commands/text/group-by.ts';
import type { Message } from '#commands/text/message.ts';

import { bulkAction, type BulkSpec } from './bulk-action.ts';
import { fingerprint } from './editing.ts';

/** The values of an item's list, by id or name. Their order is irrelevant. */
export type Names = readonly string[];

/** The values of an item before and after a change. */
export interface Difference {
  readonly before: Names;
  readonly after: Names;
}

interface ListChange<Item, P extends Params> extends Omit<BulkSpec<Item, P>, 'applies' | 'change' | 'undo'> {
  readonly field: Message;
  readonly current: (item: Item) => Names;
  readonly after: (current: Names, args: Resolved<P>) => Names;
  /** The text of one value in a plan. */
  readonly label: (name: string, item: Item, args: Resolved<P>) => string | Message;
  /** The verb and the arguments, without the items, that restore the former values. */
  readonly undo: (difference: Difference) => { readonly verb: string; readonly args: Args };
}

/** Declares a command that adds to or removes from a list on each item, such as its roles, permissions, or tags. */
export function listChange<Item, const P extends Params>({
  field,
  current,
  after,
  label,
  undo,
  ...spec
}: ListChange<Item, P>): Command {
  const { entity, target = entity.plural } = spec;
  const differenceOf = (item: Item, args: Resolved<P>): Difference => {
    const before = current(item);
    return { before, after: after(before, args) };
  };
  return bulkAction<Item, P>({
    ...spec,
    appliesTo: (item, args) => {
      const difference = differenceOf(item, args);
      return fingerprint(difference.before) !== fingerprint(difference.after);
    },
    change: (item, args) => {
      const difference = differenceOf(item, args);
      const labels = (names: Names) => names.map((name) => label(name, item, args));
      return { field, added: labels(addedBy(difference)), removed: labels(removedBy(difference)) };
    },
    undo: (items, args) =>
      [...groupBy(items, (item) => JSON.stringify(undo(differenceOf(item, args))))].map(([key, group]) => {
        const inverse = JSON.parse(key) as ReturnType<typeof undo>;
        return {
          id: `${entity.name}.${inverse.verb}`,
          args: { [target]: { ids: group.map(entity.id) }, ...inverse.args },
        };
      }),
  });
}

export function addedBy({ before, after }: Difference): Names {
  return after.filter((name) => !before.includes(name));
}

export function removedBy({ before, after }: Difference): Names {
  return before.filter((name) => !after.includes(name));
}
