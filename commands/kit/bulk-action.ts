import type { Ability } from '#commands/model/ability.ts';
import { inBatches, BATCH_SIZE } from './batch.ts';
import { command, type Command, type Initial, type Resolved } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import { entityTexts, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import type { Change, Plan } from '#commands/model/plan.ts';
import { maybeChanged, succeeded, type ItemResult, type Outcome } from '#commands/model/result.ts';
import type { Selected } from '#commands/model/target.ts';

/** What one call may use. It cannot be aborted once it is sent: nobody would know whether the server carried it out. */
export interface CallContext extends Omit<Context, 'organization'> {
  /** Slug of the organization that the call names. */
  readonly organization: string;
}

/** What came of one call; nothing where it did all that was asked. */
export interface CallResult {
  /** Items that were refused, by id. */
  readonly refused?: ReadonlyMap<string, Message>;
  /** Ids of what it created. */
  readonly created?: readonly string[];
}

/** How one item changes, in one field; the item's id and label are added. */
export type ItemChange = Omit<Change, 'id' | 'label'>;

/** How items are sent to the server. */
export interface Sending<Item, Args> {
  /** Sent last: what the caller acts with, such as their own session, or the others could not follow. */
  readonly last?: (item: Item, context: Context) => boolean;
  /** How many items a call takes; 500 by default. */
  readonly size?: number;
  /** The organization that a call names, where it need not be the one acted for; its items are sent apart. */
  readonly organization?: (item: Item) => string;
  readonly call: (context: CallContext, items: readonly Item[], args: Args) => Promise<CallResult | void>;
}

export interface BulkSpec<Item, P extends Params> extends Sending<Item, Resolved<P>> {
  readonly of: Entity<Item>;
  readonly verb: string;
  /** Name of the param that takes the items; the entity's plural by default. */
  readonly target?: string;
  readonly effect?: 'write' | 'destructive';
  readonly requires: Ability | readonly Ability[];
  readonly keys?: readonly string[];
  readonly params?: P;
  /** Params that are given without their name, after the items. */
  readonly positional?: readonly (keyof P & string)[];
  readonly problems?: (
    context: Context,
    args: Resolved<P>,
    items: readonly Item[],
  ) => Partial<Record<keyof P & string, Message>>;
  /** What a form starts with. */
  readonly initial?: (items: readonly Item[]) => Initial;
  /** Throws a sentence where these items cannot be acted on at all; asked before the plan and before the run. */
  readonly refuse?: (context: Context, items: readonly Item[]) => void;
  /** False for an item that is that way already: it is not sent, and the plan counts it. */
  readonly applies?: (item: Item, args: Resolved<P>) => boolean;
  /** How an item reads before and after; absent where nothing that is shown changes. */
  readonly change?: (item: Item, args: Resolved<P>, context: Context) => ItemChange;
  /** Values of the plan's summary besides `items`. */
  readonly summary?: (args: Resolved<P>) => Message['values'];
  readonly notes?: (
    context: Context,
    items: readonly Item[],
    args: Resolved<P>,
  ) => readonly Message[] | Promise<readonly Message[]>;
  /** Runs without a look although there is no way back: it destroys nothing. */
  readonly harmless?: boolean;
  /**
   * What has to be typed for one item of a destructive action; its label by default. Several are confirmed by their
   * count.
   */
  readonly confirm?: (item: Item) => string;
  /**
   * What takes it back: the verb of the opposite action, or the invocations for the items that changed. Absent where
   * there is no way back.
   */
  readonly undo?: string | ((items: readonly Item[], args: Resolved<P>, outcome: Outcome) => readonly Invocation[]);
  /** Whether all of these items can be put back; so they can where there is an `undo`, by default. */
  readonly reversible?: (items: readonly Item[]) => boolean;
  /** False for an item that the opposite action would not put back as it was; all are by default. */
  readonly undoes?: (item: Item) => boolean;
  /** Names of the entities that are out of date afterwards, besides its own. */
  readonly changed?: readonly string[] | ((items: readonly Item[], context: Context) => readonly string[]);
}

/** Items that a plan names; of more only how many. */
const NAMED = 3;

/**
 * A command that acts on many items. It owns batches, progress, cancelling between calls (never inside one), a result
 * for every item, the plan and the inverse. Its texts are `<noun>:plan.<verb>` and `<noun>:done.<verb>`, both with
 * `{{items}}`.
 */
export function bulkAction<Item, const P extends Params = Record<never, never>>(spec: BulkSpec<Item, P>): Command {
  const { of, verb, effect = 'write', undo, applies = () => true, problems, initial } = spec;
  const target = spec.target ?? of.plural;
  const erased = of as unknown as AnyEntity;
  const itemsOf = (args: Resolved<Params>): readonly Item[] => (args[target] as Selected<Item>).items;
  const affected = (args: Resolved<Params>): readonly Item[] =>
    itemsOf(args).filter((item) => applies(item, args as Resolved<P>));

  return command({
    id: `${of.name}.${verb}`,
    on: () => erased,
    requires: spec.requires,
    effect,
    ...(spec.keys ? { keys: spec.keys } : {}),
    params: { [target]: p.many(() => erased), ...spec.params },
    positional: [target, ...(spec.positional ?? [])],
    // What has problems to tell is asked for as a form.
    ...(problems
      ? {
          problems: (context: Context, args: Resolved<Params>) => problems(context, args as Resolved<P>, itemsOf(args)),
        }
      : {}),
    ...(initial ? { initial: async (_context: Context, args: Resolved<Params>) => initial(itemsOf(args)) } : {}),
    plan: async (context, args): Promise<Plan> => {
      spec.refuse?.(context, itemsOf(args));
      const items = affected(args);
      const same = itemsOf(args).length - items.length;
      const own = (await spec.notes?.(context, items, args as Resolved<P>)) ?? [];
      const { change } = spec;
      const notes = [
        ...(change ? [] : named(items)),
        ...own,
        ...(same > 0 ? [message('common:plan.unchanged', { count: same })] : []),
      ];
      return {
        summary: message(`${of.name}:plan.${verb}`, {
          ...spec.summary?.(args as Resolved<P>),
          items: entityTexts.count(erased, items.length),
        }),
        count: items.length,
        changes: change
          ? items.map((item) => ({
              id: of.id(item),
              label: of.label(item),
              ...change(item, args as Resolved<P>, context),
            }))
          : [],
        notes,
        reversible: undo !== undefined && (spec.reversible?.(items) ?? true),
        ...(spec.harmless ? { harmless: true } : {}),
        ...(effect === 'destructive' ? { confirm: toConfirm(items) } : {}),
      };
    },
    run: async (context, args) => {
      spec.refuse?.(context, itemsOf(args));
      const items = affected(args);
      const { results, created } = await send(context, of, spec, items, args as Resolved<P>);
      const { length: count } = succeeded({ results });
      const changed = typeof spec.changed === 'function' ? spec.changed(items, context) : (spec.changed ?? []);
      return {
        changed: [of.name, ...changed],
        results,
        message:
          count === 0
            ? message('common:done.nothing')
            : message(`${of.name}:done.${verb}`, { count, items: entityTexts.count(erased, count) }),
        ...(created.length > 0 ? { data: { ids: created } } : {}),
      };
    },
    ...(undo === undefined
      ? {}
      : { inverse: (args: Resolved<Params>, outcome: Outcome) => inverse(undo, args, outcome) }),
  });

  /** Which items it is about, where no change of theirs says so. */
  function named(items: readonly Item[]): readonly Message[] {
    const names = items.slice(0, NAMED).map(of.label).join(', ');
    const more = items.length - NAMED;
    if (items.length === 0) return [];
    return [
      more > 0 ? message('common:plan.namedMore', { names, count: more }) : message('common:plan.named', { names }),
    ];
  }

  function toConfirm(items: readonly Item[]): string {
    const [first, ...others] = items;
    if (first === undefined || others.length > 0) return `${items.length}`;
    return spec.confirm?.(first) ?? of.label(first);
  }

  function inverse(how: NonNullable<typeof undo>, args: Resolved<Params>, outcome: Outcome): readonly Invocation[] {
    const done = new Set(maybeChanged(outcome).map(({ id }) => id));
    const items = itemsOf(args).filter((item) => done.has(of.id(item)));
    if (typeof how === 'function') return how(items, args as Resolved<P>, outcome);
    const ids = items.filter((item) => spec.undoes?.(item) ?? true).map(of.id);
    return ids.length === 0 ? [] : [{ id: `${of.name}.${how}`, args: { [target]: { ids } } }];
  }
}

/** Sends items in batches. @returns a result for every one of them, and the ids of what was created */
export async function send<Item, Args>(
  context: RunContext,
  entity: Entity<Item>,
  { last, size = BATCH_SIZE, organization, call }: Sending<Item, Args>,
  items: readonly Item[],
  args: Args,
): Promise<{ readonly results: readonly ItemResult[]; readonly created: readonly string[] }> {
  const created: string[] = [];
  const results = await inBatches(context, {
    items: last ? items.toSorted((a, b) => Number(last(a, context)) - Number(last(b, context))) : items,
    id: entity.id,
    label: entity.label,
    size,
    ...(organization ? { apart: organization } : {}),
    each: async (chunk, inside) => {
      const named = organization ? organization(chunk[0]!) : inside.organization.id;
      const result = await call({ ...inside, organization: named }, chunk, args);
      created.push(...(result?.created ?? []));
      return result?.refused;
    },
  });
  return { results, created };
}
