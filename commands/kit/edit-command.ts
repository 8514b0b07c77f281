import type { Ability } from '#commands/model/ability.ts';
import { command, type Command } from '#commands/model/command.ts';
import { send, type Sending } from './bulk-action.ts';
import type { Context } from '#commands/model/context.ts';
import {
  changesOf,
  fieldName,
  initialOf,
  isRestorable,
  restore,
  split,
  valueText,
  wantedOf,
  type Field,
  type Fields,
  type Wanted,
} from './editing.ts';
import { entityTexts, type Entity } from '#commands/model/entity.ts';
import type { Param, Params } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { succeeded, type ItemResult } from '#commands/model/result.ts';
import type { Selected } from '#commands/model/target.ts';

/** A field that a command can set: how it reads now, and the param that asks for it. */
export interface EditableField<Item> extends Field<Item> {
  readonly param: Param;
}

/** What is asked for: the fields to set, and all arguments, for those that are no fields. */
export interface Asked {
  readonly wanted: Wanted;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface EditSpec<Item> extends Sending<Item, Asked> {
  readonly of: Entity<Item>;
  readonly verb: string;
  /** Name of the param that takes the items. */
  readonly target: string;
  readonly fields: Readonly<Record<string, EditableField<Item>>>;
  readonly requires: Ability | readonly Ability[];
  readonly keys?: readonly string[];
  /** Asks for its fields; an editor of many fields asks for nothing. */
  readonly asks?: boolean;
  /** Params that are not fields, such as an acknowledgement. */
  readonly params?: Params;
  /** Entities whose lists are out of date afterwards. */
  readonly changed: readonly string[];
  readonly problems?: (
    items: readonly Item[],
    wanted: Wanted,
    args: Readonly<Record<string, unknown>>,
  ) => Partial<Record<string, Message>>;
  /** How many items of a filter have which value of the only field; undefined where counting does not tell. */
  readonly count?: (context: Context, query: string) => Promise<ReadonlyMap<string, number> | undefined>;
  /** Refuses what only the server knows to be wrong; throws the sentence. */
  readonly check?: (context: Context, wanted: Wanted) => Promise<void>;
}

/**
 * A command that sets fields of items: a field that it asks for, or all of them as a form. Undo is the noun's `edit`.
 */
export function editCommand<Item>(spec: EditSpec<Item>): Command {
  const { of, fields, target, asks = true } = spec;
  const names = Object.keys(fields);
  const items = (args: Readonly<Record<string, unknown>>) => (args[target] as Selected<Item>).items;
  const params: Params = {
    [target]: p.many(() => of),
    ...Object.fromEntries(names.map((name) => [name, { ...fields[name]!.param, required: asks }])),
    ...spec.params,
  };
  return command({
    id: `${of.name}.${spec.verb}`,
    on: () => of,
    requires: spec.requires,
    effect: 'write',
    ...(spec.keys ? { keys: spec.keys } : {}),
    params,
    positional: asks && names.length === 1 ? [target, names[0]!] : [target],
    initial: async (_context, args) => initialOf(fields, items(args)),
    problems: (_context, args) => spec.problems?.(items(args), wantedOf(fields, args), args) ?? {},
    plan: async (context, args) => {
      const wanted = wantedOf(fields, args);
      await spec.check?.(context, wanted);
      return editPlan(of, fields, wanted, items(args));
    },
    ...(spec.count
      ? {
          outline: async (context: Context, args: Readonly<Record<string, unknown>>, query: string) => {
            const wanted = wantedOf(fields, args);
            await spec.check?.(context, wanted);
            const counts = await spec.count?.(context, query);
            return counts && countedPlan(of, fields, wanted, counts);
          },
        }
      : {}),
    run: async (context, args) => {
      const wanted = wantedOf(fields, args);
      const { changing } = split(fields, wanted, items(args));
      const { results } = await send(context, of, spec, changing, { wanted, args });
      return { changed: spec.changed, results, message: editDone(of, fields, wanted, results) };
    },
    inverse: (args, outcome) => {
      const how = { id: `${of.name}.edit`, target, wanted: wantedOf(fields, args) };
      return restore(of, fields, how, items(args), outcome);
    },
  });
}

export function countOf<Item>(entity: Entity<Item>, count: number): Message {
  return entityTexts.count(entity, count);
}

export function editPlan<Item>(entity: Entity<Item>, fields: Fields<Item>, wanted: Wanted, all: readonly Item[]): Plan {
  const { changing, same } = split(fields, wanted, all);
  return {
    summary: editTitle(entity, fields, wanted, changing.length),
    count: changing.length,
    changes: changesOf(entity, fields, wanted, changing),
    ...(same > 0 ? { notes: [message('common:plan.same', { count: same })] } : {}),
    reversible: isRestorable(fields, wanted, changing),
  };
}

/** The field that is to be set, where it is only one. */
function onlyOf<Item>(fields: Fields<Item>, wanted: Wanted) {
  const [first, ...others] = Object.entries(wanted);
  if (!first || others.length > 0) return undefined;
  const [name, value] = first;
  return { name, value, field: fields[name]! };
}

/** The plan of setting one field, from how many items have which value. */
function countedPlan<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  wanted: Wanted,
  counts: ReadonlyMap<string, number>,
): Plan | undefined {
  const only = onlyOf(fields, wanted);
  if (!only) return undefined;
  const { field } = only;
  const value = only.value as string;
  const title = fieldName(entity.name, only.name);
  const after = valueText(field, value);
  const groups = [...counts]
    .filter(([now, count]) => now !== value && count > 0)
    .map(([now, count]) => ({
      count,
      change: { id: now, label: now, field: title, before: valueText(field, now), after },
    }))
    .toSorted((a, b) => b.count - a.count);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  const same = counts.get(value) ?? 0;
  return {
    summary: editTitle(entity, fields, wanted, count),
    count,
    changes: [],
    ...(count > 0 ? { counted: [{ field: title, count, groups }] } : {}),
    ...(same > 0 ? { notes: [message('common:plan.same', { count: same })] } : {}),
    reversible: true,
  };
}

/** "Set lifecycle of 24,069 devices to Paused": to what, where it is the same for all and can be shown. */
function editTitle<Item>(entity: Entity<Item>, fields: Fields<Item>, wanted: Wanted, count: number): Message {
  const items = countOf(entity, count);
  const only = onlyOf(fields, wanted);
  if (!only) return message('common:plan.edit', { count: Object.keys(wanted).length, items });
  const { field } = only;
  const values = { field: fieldName(entity.name, only.name), items };
  if (field.after || field.secret || typeof only.value === 'object') return message('common:plan.set', values);
  const value = valueText(field, only.value);
  if (value === undefined) return message('common:plan.clear', values);
  return isShort(value) ? message('common:plan.setTo', { ...values, value }) : message('common:plan.set', values);
}

/** A note of several lines is no part of a title. */
function isShort(value: string | Message): boolean {
  return typeof value !== 'string' || (value.length <= 60 && !value.includes('\n'));
}

/** What an editor did: "Set lifecycle of 214 devices to Paused". */
export function editDone<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  wanted: Wanted,
  results: readonly ItemResult[],
): Message {
  const { length: count } = succeeded({ results });
  const title = editTitle(entity, fields, wanted, count);
  if (count === 0 || title.key === 'common:plan.edit') return editMessage(entity, results);
  return title.key === 'common:plan.clear' ? message('common:done.cleared', title.values) : title;
}

export function editMessage<Item>(entity: Entity<Item>, results: readonly ItemResult[]): Message {
  const count = succeeded({ results }).length;
  return count === 0
    ? message('common:done.nothing')
    : message('common:done.changed', { items: countOf(entity, count) });
}
