import type { Ability } from '#commands/model/ability.ts';
import { command, type Command, type InitialValues, type Resolved } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p } from '#commands/model/params.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import {
  failedResults,
  maybeChanged,
  succeededResults,
  type ItemResult,
  type Outcome,
} from '#commands/model/result.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { runInBatches, BATCH_SIZE } from '#commands/run/batch.ts';
import { stagesFor } from '#commands/run/stages.ts';
import { message, type Message } from '#commands/text/message.ts';

/** The context of one call. Its signal never aborts, because the outcome of an aborted write is unknown. */
export interface CallContext extends Omit<Context, 'organization'> {
  /** The slug of the organization that the call is for. */
  readonly organization: string;
}

/** The outcome of one call. Absent if everything succeeded. */
export interface CallResult {
  /** Messages for the rejected items, keyed by id. */
  readonly rejections?: ReadonlyMap<string, Message>;
  /** Ids of the items that the call created. */
  readonly createdIds?: readonly string[];
}

/** A change to one field of an item. The item's id and label are added later. */
export type ItemChange = Omit<Change, 'id' | 'label'>;

/** How to send items to the server. */
export interface SendOptions<Item, Args> {
  /**
   * True for an item to send last, such as the caller's own session, because the remaining calls would fail without it.
   */
  readonly isLast?: (item: Item, context: Context) => boolean;
  /** Items per call. The default is 500. */
  readonly size?: number;
  /** The organization that an item belongs to, if not the current one. Calls are made per organization. */
  readonly organization?: (item: Item) => string;
  readonly call: (context: CallContext, items: readonly Item[], args: Args) => Promise<CallResult | void>;
}

export interface BulkSpec<Item, P extends Params, Prepared = undefined> extends Omit<
  SendOptions<Item, Resolved<P>>,
  'call'
> {
  readonly entity: Entity<Item>;
  readonly verb: string;
  /** Name of the param for the items. The default is the entity's plural. */
  readonly target?: string;
  readonly effect?: 'write' | 'destructive';
  readonly requires: Ability | readonly Ability[];
  readonly keys?: readonly string[];
  readonly params?: P;
  /** Params that can be given without their name, after the items. */
  readonly positional?: readonly (keyof P & string)[];
  readonly problems?: (
    context: Context,
    args: Resolved<P>,
    items: readonly Item[],
  ) => Partial<Record<keyof P & string, Message>>;
  /** The initial values of a form. */
  readonly initial?: (items: readonly Item[]) => InitialValues;
  /** Throws if the command can't act on any of the items. Called before the plan and before the run. */
  readonly validate?: (context: Context, items: readonly Item[]) => void;
  /** False for an item that is already in the target state. The item isn't sent, and the plan counts it. */
  readonly appliesTo?: (item: Item, args: Resolved<P>) => boolean;
  /** Prepares a run, such as by uploading files, and returns what the calls need. If it fails, no item has changed. */
  readonly prepare?: (context: RunContext, items: readonly Item[], args: Resolved<P>) => Promise<Prepared>;
  readonly call: (
    context: CallContext,
    items: readonly Item[],
    args: Resolved<P>,
    prepared: Prepared,
  ) => Promise<CallResult | void>;
  /** How an item changes. Absent if no visible value changes. */
  readonly change?: (item: Item, args: Resolved<P>, context: Context) => ItemChange;
  /** Values for the plan's summary, in addition to `items`. */
  readonly summary?: (args: Resolved<P>) => Message['values'];
  readonly notes?: (
    context: Context,
    items: readonly Item[],
    args: Resolved<P>,
  ) => readonly Message[] | Promise<readonly Message[]>;
  /** Runs without confirmation even though it can't be undone, because it destroys nothing. */
  readonly harmless?: boolean;
  /**
   * The text that the user types to confirm a destructive action on a single item. The default is its label. For
   * several items, the text is their count.
   */
  readonly confirm?: (item: Item) => string;
  /**
   * How to undo the action: the verb of the opposite action, the verb that deletes what the action created, or the
   * invocations for the items that changed. Absent if the action cannot be undone.
   */
  readonly undo?:
    | string
    | { readonly created: string }
    | ((items: readonly Item[], args: Resolved<P>, outcome: Outcome) => readonly Invocation[]);
  /** True if all the items can be restored. The default is true if there is an `undo`. */
  readonly reversible?: (items: readonly Item[]) => boolean;
  /** False for an item that the opposite action would not restore to its former state. The default is true. */
  readonly isUndoable?: (item: Item) => boolean;
  /** The message if every item failed. By default, it states that nothing was changed. */
  readonly failureMessage?: (failures: readonly ItemResult[]) => Message;
  /** Names of other entities whose lists are stale afterwards. */
  readonly changed?: readonly string[] | ((items: readonly Item[], context: Context) => readonly string[]);
}

/** Maximum number of items to name in a plan. The others are only counted. */
const MAX_NAMES = 3;

/**
 * Declares a command that acts on many items. Handles batches, progress, cancellation between calls (never during one),
 * a result for every item, the plan, and the inverse. Its messages are `<noun>:plan.<verb>` and `<noun>:done.<verb>`,
 * both with `{{items}}`.
 */
export function bulkAction<Item, const P extends Params = Record<never, never>, Prepared = undefined>(
  spec: BulkSpec<Item, P, Prepared>,
): Command {
  const { entity, verb, effect = 'write', undo, appliesTo = () => true, problems, initial } = spec;
  const target = spec.target ?? entity.plural;
  const anyEntity = entity as unknown as AnyEntity;
  const [planKey, doneKey] = [`${entity.name}:plan.${verb}`, `${entity.name}:done.${verb}`];
  const itemsOf = (args: Resolved<Params>): readonly Item[] => (args[target] as SelectedItems<Item>).items;
  const affectedItems = (args: Resolved<Params>): readonly Item[] =>
    itemsOf(args).filter((item) => appliesTo(item, args as Resolved<P>));

  return command({
    id: `${entity.name}.${verb}`,
    on: () => anyEntity,
    requires: spec.requires,
    effect,
    derivedMessages: [message(planKey), message(doneKey)],
    ...(spec.keys ? { keys: spec.keys } : {}),
    ...(spec.appliesTo && !spec.params
      ? { appliesTo: (item: unknown) => appliesTo(item as Item, {} as Resolved<P>) }
      : {}),
    params: { [target]: p.many(() => anyEntity), ...spec.params },
    positional: [target, ...(spec.positional ?? [])],
    // A command that validates its arguments together opens as a form.
    ...(problems
      ? {
          problems: (context: Context, args: Resolved<Params>) => problems(context, args as Resolved<P>, itemsOf(args)),
        }
      : {}),
    ...(initial ? { initial: async (_context: Context, args: Resolved<Params>) => initial(itemsOf(args)) } : {}),
    plan: async (context, args): Promise<Plan> => {
      spec.validate?.(context, itemsOf(args));
      const items = affectedItems(args);
      const unchangedCount = itemsOf(args).length - items.length;
      const ownNotes = (await spec.notes?.(context, items, args as Resolved<P>)) ?? [];
      const { change } = spec;
      const notes = [
        ...(change ? [] : itemNameNotes(items)),
        ...ownNotes,
        ...(unchangedCount > 0 ? [message('common:plan.unchanged', { count: unchangedCount })] : []),
      ];
      return {
        summary: message(planKey, {
          ...spec.summary?.(args as Resolved<P>),
          items: entityLabels.count(anyEntity, items.length),
        }),
        count: items.length,
        changes: change
          ? items.map((item) => ({
              id: entity.id(item),
              label: entity.label(item),
              ...change(item, args as Resolved<P>, context),
            }))
          : [],
        notes,
        ...stagesFor(items.length),
        reversible: undo !== undefined && (spec.reversible?.(items) ?? true),
        ...(spec.harmless ? { harmless: true } : {}),
        ...(effect === 'destructive' ? { confirm: confirmationText(items) } : {}),
      };
    },
    run: async (context, args) => {
      spec.validate?.(context, itemsOf(args));
      const items = affectedItems(args);
      const prepared = (await spec.prepare?.(context, items, args as Resolved<P>)) as Prepared;
      const options: SendOptions<Item, Resolved<P>> = {
        ...spec,
        call: (callContext, chunk, callArgs) => spec.call(callContext, chunk, callArgs, prepared),
      };
      const { results, createdIds } = await send(context, entity, options, items, args as Resolved<P>);
      const { length: count } = succeededResults({ results });
      const failures = failedResults({ results });
      const failureMessage = failures.length > 0 ? spec.failureMessage?.(failures) : undefined;
      const changedEntities = typeof spec.changed === 'function' ? spec.changed(items, context) : (spec.changed ?? []);
      return {
        changed: [entity.name, ...changedEntities],
        results,
        message:
          count === 0
            ? (failureMessage ?? message('common:done.nothing'))
            : message(doneKey, { count, items: entityLabels.count(anyEntity, count) }),
        ...(createdIds.length > 0 ? { data: { ids: createdIds } } : {}),
      };
    },
    ...(undo === undefined
      ? {}
      : { inverse: (args: Resolved<Params>, outcome: Outcome) => inverse(undo, args, outcome) }),
  });

  /** Returns notes that name the items, for a plan without changes. */
  function itemNameNotes(items: readonly Item[]): readonly Message[] {
    const names = items.slice(0, MAX_NAMES).map(entity.label).join(', ');
    const unnamedCount = items.length - MAX_NAMES;
    if (items.length === 0) return [];
    return [
      unnamedCount > 0
        ? message('common:plan.namedMore', { names, count: unnamedCount })
        : message('common:plan.named', { names }),
    ];
  }

  function confirmationText(items: readonly Item[]): string {
    const [first, ...others] = items;
    if (first === undefined || others.length > 0) return `${items.length}`;
    return spec.confirm?.(first) ?? entity.label(first);
  }

  function inverse(
    undoSpec: NonNullable<typeof undo>,
    args: Resolved<Params>,
    outcome: Outcome,
  ): readonly Invocation[] {
    const changedIds = new Set(maybeChanged(outcome).map(({ id }) => id));
    const items = itemsOf(args).filter((item) => changedIds.has(entity.id(item)));
    if (typeof undoSpec === 'function') return undoSpec(items, args as Resolved<P>, outcome);
    const [undoVerb, ids] =
      typeof undoSpec === 'string'
        ? [undoSpec, items.filter((item) => spec.isUndoable?.(item) ?? true).map(entity.id)]
        : [undoSpec.created, createdIdsOf(outcome)];
    return ids.length === 0 ? [] : [{ id: `${entity.name}.${undoVerb}`, args: { [target]: { ids } } }];
  }
}

/** Returns the ids of the items that a bulk action created. */
function createdIdsOf({ data }: Outcome): readonly string[] {
  return (data as { readonly ids?: readonly string[] } | undefined)?.ids ?? [];
}

/**
 * Sends items in batches.
 *
 * @returns a result for every item, and the ids of the created items
 */
export async function send<Item, Args>(
  context: RunContext,
  entity: Entity<Item>,
  { isLast, size = BATCH_SIZE, organization, call }: SendOptions<Item, Args>,
  items: readonly Item[],
  args: Args,
): Promise<{ readonly results: readonly ItemResult[]; readonly createdIds: readonly string[] }> {
  const createdIds: string[] = [];
  const results = await runInBatches(context, {
    items: isLast ? items.toSorted((a, b) => Number(isLast(a, context)) - Number(isLast(b, context))) : items,
    id: entity.id,
    label: entity.label,
    size,
    ...(organization ? { groupKey: organization } : {}),
    change: async (chunk, batchContext) => {
      const slug = organization ? organization(chunk[0]!) : batchContext.organization.id;
      const result = await call({ ...batchContext, organization: slug }, chunk, args);
      createdIds.push(...(result?.createdIds ?? []));
      return result?.rejections;
    },
  });
  const incompleteIds = results.flatMap(({ failure }) => failure?.createdItem?.id ?? []);
  return { results, createdIds: [...createdIds, ...incompleteIds] };
}
