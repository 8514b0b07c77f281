import type { Ability } from './ability.ts';
import { command, type Command } from './command.ts';
import type { Context, RunContext } from './context.ts';
import {
  changesOf,
  fieldName,
  initialOf,
  isRestorable,
  restore,
  split,
  wantedOf,
  type Field,
  type Fields,
  type Wanted,
} from './editing.ts';
import { entityTexts, type Entity } from './entity.ts';
import type { Param, Params } from './kinds.ts';
import { message, type Message } from './message.ts';
import { p } from './params.ts';
import type { Plan } from './plan.ts';
import { succeeded, type ItemResult } from './result.ts';
import type { Selected } from './target.ts';

/** A field that a command can set: how it reads now, and the param that asks for it. */
export interface EditableField<Item> extends Field<Item> {
  readonly param: Param;
}

interface EditSpec<Item> {
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
  /** Refuses what only the server knows to be wrong; throws the sentence. */
  readonly check?: (context: Context, wanted: Wanted) => Promise<void>;
  readonly send: (
    context: RunContext,
    items: readonly Item[],
    wanted: Wanted,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<readonly ItemResult[]>;
}

/** A command that sets fields of items: a field that it asks for, or all of them as a form. Undo is the noun's `edit`. */
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
    run: async (context, args) => {
      const wanted = wantedOf(fields, args);
      const { changing } = split(fields, wanted, items(args));
      const results = await spec.send(context, changing, wanted, args);
      return { changed: spec.changed, results, said: editSaid(of, results) };
    },
    inverse: (args, outcome) => {
      const how = { id: `${of.name}.edit`, target, wanted: wantedOf(fields, args) };
      return restore(of, fields, how, items(args), outcome);
    },
  });
}

export function countOf<Item>(of: Entity<Item>, count: number): Message {
  return entityTexts.count(of, count);
}

export function editPlan<Item>(of: Entity<Item>, fields: Fields<Item>, wanted: Wanted, all: readonly Item[]): Plan {
  const { changing, same } = split(fields, wanted, all);
  const names = Object.keys(wanted);
  const items = countOf(of, changing.length);
  return {
    summary:
      names.length === 1
        ? message('common:plan.set', { field: fieldName(of.name, names[0]!), items })
        : message('common:plan.edit', { count: names.length, items }),
    count: changing.length,
    changes: changesOf(of, fields, wanted, changing),
    ...(same > 0 ? { notes: [message('common:plan.same', { count: same })] } : {}),
    reversible: isRestorable(fields, wanted, changing),
  };
}

export function editSaid<Item>(of: Entity<Item>, results: readonly ItemResult[]): Message {
  const count = succeeded({ results }).length;
  return count === 0 ? message('common:said.nothing') : message('common:said.changed', { items: countOf(of, count) });
}
