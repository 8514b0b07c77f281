import type { Ability } from '#commands/model/ability.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import { failureOf, isRejectedCall } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { ItemOrNew, Param } from '#commands/model/kinds.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { maybeChanged, succeededResults, type Outcome } from '#commands/model/result.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { countMatching } from '#commands/run/outline.ts';
import { stagesFor } from '#commands/run/stages.ts';
import { message, type Message } from '#commands/text/message.ts';

import { send, type CallContext } from './bulk-action.ts';
import { includesBelow } from './includes-below.ts';

interface Verb<Item> {
  readonly keys?: readonly string[];
  readonly call: (context: CallContext, items: readonly Item[], assignedId: string) => Promise<void>;
}

type Direction = 'assign' | 'unassign';

/**
 * How to find out which items have the assignment: from each item, or, if items don't contain their assignments, by
 * loading the ids of those that have it.
 */
type IsAssigned<Item, Assigned> =
  | ((item: Item, assignedItem: Assigned) => boolean)
  | { readonly load: (context: Context, assignedItem: Assigned) => Promise<ReadonlySet<string>> };

interface Assignment<Item, Assigned> {
  /** The entity that receives the assignment. */
  readonly target: Entity<Item>;
  /** The entity being assigned. Its name is also the name of the param and of the value in messages. */
  readonly entity: Entity<Assigned>;
  readonly requires: Ability | readonly Ability[];
  /** The field of an item that shows its assignments. */
  readonly field: Message;
  readonly isAssigned: IsAssigned<Item, Assigned>;
  /** The verbs of the two commands, if they are not `assign` and `unassign`. */
  readonly verbs?: Readonly<Record<Direction, string>>;
  /**
   * The organization of an item, if lists can include items of other organizations. Items of other organizations are
   * left out because every organization has its own assignments.
   */
  readonly organization?: (item: Item) => string;
  /**
   * The filter term for items with this assignment. A plan for a whole list uses it to count them. Absent if the
   * contract cannot filter by it.
   */
  readonly term?: (assignedId: string) => string;
  /** An argument that identifies the assigned item even after a rename. */
  readonly argFor: (assignedId: string) => string;
  /**
   * Creates the item to assign if no item has this name yet. Deletes the new item if it could not be assigned to
   * anything.
   */
  readonly create?: {
    readonly maxLength: number;
    /** Returns the id of the new item. */
    readonly call: (context: RunContext, name: string) => Promise<string>;
    readonly remove: (context: RunContext, id: string) => Promise<unknown>;
  };
  readonly assign: Verb<Item>;
  readonly unassign: Verb<Item>;
}

/**
 * Declares `<noun>.assign` and `<noun>.unassign`. Each command is the inverse of the other for the items that changed.
 * The noun declares the messages `plan.assign`, `plan.unassign`, `plan.creates`, `plan.without`, `plan.elsewhere`,
 * `done.assigned`, `done.assignedNew`, `done.leftNew`, and `done.unassigned`.
 */
export function assignment<Item, Assigned>(
  spec: Assignment<Item, Assigned>,
): {
  readonly assign: Command;
  readonly unassign: Command;
} {
  const { target, entity: assignedEntity, field, requires } = spec;
  const targetParam = target.plural;
  const anyTarget: AnyEntity = target;
  const anyAssigned: AnyEntity = assignedEntity;
  type Args = Readonly<Record<string, unknown>>;
  const itemsOf = (args: Args): readonly Item[] => (args[targetParam] as SelectedItems<Item>).items;
  const nameOf = (assignedItem: ItemOrNew<Assigned>): string =>
    'create' in assignedItem ? assignedItem.create : assignedEntity.label(assignedItem.item);
  /** Returns a function that checks whether an item has the assignment. */
  const loadIsAssigned = async (
    context: Context,
    assignedItem: ItemOrNew<Assigned>,
  ): Promise<(item: Item) => boolean> => {
    const { isAssigned } = spec;
    if ('create' in assignedItem) return () => false;
    if (typeof isAssigned === 'function') return (item) => isAssigned(item, assignedItem.item);
    const ids = await isAssigned.load(context, assignedItem.item);
    return (item) => ids.has(target.id(item));
  };
  const verbs = spec.verbs ?? { assign: 'assign', unassign: 'unassign' };
  const values = (assignedItem: ItemOrNew<Assigned>, count: number): Message['values'] => ({
    [assignedEntity.name]: nameOf(assignedItem),
    items: entityLabels.count(anyTarget, count),
  });

  const messageKeys: Readonly<Record<Direction, readonly string[]>> = {
    assign: [
      'plan.assign',
      'done.assigned',
      ...(spec.create ? ['plan.creates', 'done.assignedNew', 'done.leftNew'] : []),
    ],
    unassign: ['plan.unassign', 'plan.without', 'done.unassigned'],
  };
  const createChange = (direction: Direction, assignedItem: ItemOrNew<Assigned>) => ({
    field,
    [direction === 'assign' ? 'added' : 'removed']: [nameOf(assignedItem)],
  });

  function notes(direction: Direction, assignedItem: ItemOrNew<Assigned>, unchangedCount: number): readonly Message[] {
    if (direction === 'unassign')
      return unchangedCount > 0 ? [message(`${assignedEntity.name}:plan.without`, { count: unchangedCount })] : [];
    return [
      ...('create' in assignedItem
        ? [message(`${assignedEntity.name}:plan.creates`, { [assignedEntity.name]: assignedItem.create })]
        : []),
      ...(unchangedCount > 0 ? [message('common:plan.same', { count: unchangedCount })] : []),
    ];
  }

  /**
   * Returns the plan for `count` items. Its notes count the items it leaves out: `unchangedCount` items that are
   * already in the target state, and `elsewhereCount` items of other organizations.
   */
  function createPlan(
    direction: Direction,
    assignedItem: ItemOrNew<Assigned>,
    count: number,
    unchangedCount: number,
    elsewhereCount = 0,
  ): Plan {
    return {
      summary: message(`${assignedEntity.name}:plan.${direction}`, values(assignedItem, count)),
      count,
      changes: [],
      notes: [
        ...notes(direction, assignedItem, unchangedCount),
        ...(elsewhereCount > 0 ? [message(`${assignedEntity.name}:plan.elsewhere`, { count: elsewhereCount })] : []),
      ],
      ...stagesFor(count),
      reversible: true,
    };
  }

  /** Returns the plan for `count` items that haven't been loaded. */
  function countedPlan(
    direction: Direction,
    assignedItem: ItemOrNew<Assigned>,
    count: number,
    unchangedCount: number,
  ): Plan {
    const groups = [{ count, change: { id: '', label: '', ...createChange(direction, assignedItem) } }];
    return {
      ...createPlan(direction, assignedItem, count, unchangedCount),
      ...(count > 0 ? { changeCounts: [{ field, count, groups }] } : {}),
    };
  }

  /** Returns the current organization's items. */
  function ownItems(args: Args, { organization }: Context): readonly Item[] {
    return itemsOf(args).filter((item) => (spec.organization?.(item) ?? organization.id) === organization.id);
  }

  async function findAffectedItems(
    direction: Direction,
    args: Args,
    assignedItem: ItemOrNew<Assigned>,
    context: Context,
  ): Promise<readonly Item[]> {
    const isAssigned = await loadIsAssigned(context, assignedItem);
    return ownItems(args, context).filter((item) => isAssigned(item) === (direction === 'unassign'));
  }

  async function planItem(
    direction: Direction,
    args: Args,
    assignedItem: ItemOrNew<Assigned>,
    context: Context,
  ): Promise<Plan> {
    const items = ownItems(args, context);
    const itemsToChange = await findAffectedItems(direction, args, assignedItem, context);
    const elsewhereCount = itemsOf(args).length - items.length;
    return {
      ...createPlan(direction, assignedItem, itemsToChange.length, items.length - itemsToChange.length, elsewhereCount),
      changes: itemsToChange.map((item) => ({
        id: target.id(item),
        label: target.label(item),
        ...createChange(direction, assignedItem),
      })),
    };
  }

  /** Counts the items that match a filter and would change, and those already in the target state. */
  async function countAffected(
    context: Context,
    query: string,
    direction: Direction,
    assignedItem: ItemOrNew<Assigned>,
    term: (assignedId: string) => string,
  ) {
    const total = await countMatching(anyTarget, query, '', context);
    const assignedCount =
      'item' in assignedItem
        ? await countMatching(anyTarget, query, term(assignedEntity.id(assignedItem.item)), context)
        : 0;
    return direction === 'assign'
      ? { count: total - assignedCount, unchangedCount: assignedCount }
      : { count: assignedCount, unchangedCount: total - assignedCount };
  }

  async function run(
    context: RunContext,
    direction: Direction,
    assignedItem: ItemOrNew<Assigned>,
    itemsToChange: readonly Item[],
  ): Promise<Outcome> {
    if (itemsToChange.length === 0) return { results: [], message: message('common:done.nothing') };
    const id =
      'item' in assignedItem
        ? assignedEntity.id(assignedItem.item)
        : await spec.create!.call(context, assignedItem.create);
    const { results } = await send(context, target, spec[direction], itemsToChange, id);
    const { length: count } = succeededResults({ results });
    const isLeftover =
      'create' in assignedItem && maybeChanged({ results }).length === 0 && !(await remove(context, id));
    // A misspelled name creates a new item, so mention it here in case the user did not see the plan.
    const doneKey = direction === 'unassign' ? 'unassigned' : 'create' in assignedItem ? 'assignedNew' : 'assigned';
    return {
      changed: [target.name, assignedEntity.name],
      results,
      message:
        count > 0 || isLeftover
          ? message(`${assignedEntity.name}:done.${isLeftover ? 'leftNew' : doneKey}`, values(assignedItem, count))
          : message('common:done.nothing'),
      data: { [assignedEntity.name]: id },
    };
  }

  /**
   * Deletes a new item that was not assigned to anything.
   *
   * @returns false if the deletion failed
   */
  async function remove(context: RunContext, id: string): Promise<boolean> {
    try {
      await spec.create!.remove(context, id);
      return true;
    } catch (error) {
      if (!isRejectedCall(failureOf(error))) context.host.report?.(error);
      return false;
    }
  }

  /**
   * Returns the opposite command for the items that may have changed. Identifies the assigned item by its id, which
   * only the outcome has if the run created the item.
   */
  function inverse(
    oppositeDirection: Direction,
    assignedItem: ItemOrNew<Assigned>,
    outcome: Outcome,
  ): readonly Invocation[] {
    const ids = maybeChanged(outcome).map((result) => result.id);
    const createdId = () => (outcome.data as Readonly<Record<string, string>> | undefined)?.[assignedEntity.name];
    const id = 'item' in assignedItem ? assignedEntity.id(assignedItem.item) : createdId();
    if (id === undefined) return [];
    const args = { [targetParam]: { ids }, [assignedEntity.name]: spec.argFor(id) };
    return [{ id: `${assignedEntity.name}.${verbs[oppositeDirection]}`, args }];
  }

  function buildCommand(
    direction: Direction,
    param: Param,
    readAssigned: (args: Args) => ItemOrNew<Assigned>,
  ): Command {
    const { keys } = spec[direction];
    return command({
      id: `${assignedEntity.name}.${verbs[direction]}`,
      on: () => anyTarget,
      requires,
      effect: 'write',
      ...(keys ? { keys } : {}),
      params: { [targetParam]: p.many(() => anyTarget), [assignedEntity.name]: param },
      positional: [targetParam],
      derivedMessages: messageKeys[direction].map((key) => message(`${assignedEntity.name}:${key}`)),
      plan: async (context, args) => planItem(direction, args, readAssigned(args), context),
      outline: async (context, args: Args, query) => {
        // A count does not show which organizations the items belong to.
        if (!spec.term || includesBelow(anyTarget, query)) return undefined;
        const assignedItem = readAssigned(args);
        const { count, unchangedCount } = await countAffected(context, query, direction, assignedItem, spec.term);
        return countedPlan(direction, assignedItem, count, unchangedCount);
      },
      run: async (context, args) =>
        run(
          context,
          direction,
          readAssigned(args),
          await findAffectedItems(direction, args, readAssigned(args), context),
        ),
      inverse: (args, outcome) => inverse(direction === 'assign' ? 'unassign' : 'assign', readAssigned(args), outcome),
    });
  }

  const existingItem = (args: Args): ItemOrNew<Assigned> => ({ item: args[assignedEntity.name] as Assigned });
  const itemOrNew = (args: Args): ItemOrNew<Assigned> => args[assignedEntity.name] as ItemOrNew<Assigned>;
  const { create } = spec;
  return {
    assign: create
      ? buildCommand('assign', required(p.refOrNew(() => anyAssigned, { maxLength: create.maxLength })), itemOrNew)
      : buildCommand('assign', required(p.ref(() => anyAssigned)), existingItem),
    unassign: buildCommand('unassign', required(p.ref(() => anyAssigned)), existingItem),
  };
}
