import type { Initial } from '#commands/model/command.ts';
import { groupBy } from '#commands/text/group-by.ts';
import type { Invocation, Args } from '#commands/model/invocation.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Change, ValueText } from '#commands/model/plan.ts';
import { maybeChanged, type Outcome } from '#commands/model/result.ts';
import type { Entity } from '#commands/model/entity.ts';

/**
 * An editable field of an item, by the name of the param that sets it. Plans, forms ('Various'), no-change detection
 * and undo all follow from what the item has `now` and what it would have `after`.
 */
export interface Field<Item> {
  /**
   * What the param would have to hold to leave the item as it is; `undefined` when that is unknown (a sealed secret).
   */
  now(item: Item): ArgValue | undefined;
  /** What the item would hold, when that is not simply the argument. */
  after?(item: Item, value: ArgValue): ArgValue;
  /** False where setting the value destroys something that `now` cannot tell, so that there is no way back. */
  restores?(item: Item, value: ArgValue): boolean;
  /** Reads the argument from resolved arguments, when it is not simply there by name. */
  given?(resolved: unknown): ArgValue | undefined;
  /**
   * How a value reads in a plan, where that does not follow from the param; absent for a secret, whose values are not
   * shown.
   */
  text?(value: ArgValue): ValueText;
  readonly secret?: boolean;
  /** The param that asks for it: a choice reads in a plan as it is offered there. */
  readonly param?: Param;
}

export type Fields<Item> = Readonly<Record<string, Field<Item>>>;

/** What is to be set, by field; only what was given. */
export type Wanted = Readonly<Record<string, ArgValue>>;

export function wantedOf<Item>(fields: Fields<Item>, args: Readonly<Record<string, unknown>>): Wanted {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = field.given ? field.given(args[name]) : (args[name] as ArgValue | undefined);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/**
 * Values as one comparable text: the order of names in a map and of items in a list of names makes no difference. An
 * unknown value differs from every other.
 */
export function fingerprint(value: ArgValue | undefined): string {
  if (Array.isArray(value)) return JSON.stringify((value as readonly string[]).toSorted());
  if (typeof value === 'object') return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(value) ?? '';
}

function differs<Item>(field: Field<Item>, item: Item, value: ArgValue): boolean {
  return fingerprint(field.now(item)) !== fingerprint(field.after?.(item, value) ?? value);
}

/** The items that would change, and those that have it all already. */
export function split<Item>(fields: Fields<Item>, wanted: Wanted, items: readonly Item[]) {
  const changing = items.filter((item) =>
    Object.entries(wanted).some(([name, value]) => differs(fields[name]!, item, value)),
  );
  return { changing, same: items.length - changing.length };
}

/** Stands for a value that is never shown. */
export const HIDDEN = '••••••';

/** How one value of a field reads in a plan. */
export function valueText<Item>(field: Field<Item>, value: ArgValue | undefined): ValueText {
  if (value === undefined || value === '') return undefined;
  if (field.secret) return HIDDEN;
  if (field.text) return field.text(value);
  const { param } = field;
  if (param?.kind === 'choice' && param.label) return param.label(value as string);
  if (typeof value === 'boolean') return message(value ? 'common:yes' : 'common:no');
  return typeof value === 'object' ? fingerprint(value) : String(value);
}

/** How one name of a list reads in a plan. */
function nameText<Item>({ param, text }: Field<Item>, name: string): string | Message {
  if (param?.kind === 'choices' && param.label) return param.label(name);
  return text?.([name]) ?? name;
}

/** Texts are made once for each value: a plan may hold 100,000 changes to the same. */
function remembered(text: (value: ArgValue | undefined) => ValueText): (value: ArgValue | undefined) => ValueText {
  const known = new Map<ArgValue | undefined, ValueText>();
  return (value) => {
    if (!known.has(value)) known.set(value, text(value));
    return known.get(value);
  };
}

/** Field by field, item by item: what the plan shows. */
export function changesOf<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  wanted: Wanted,
  items: readonly Item[],
): readonly Change[] {
  const shown = Object.entries(wanted).map(([name, value]) => {
    const field = fields[name]!;
    return {
      field,
      value,
      title: fieldName(entity.name, name),
      text: remembered((argValue) => valueText(field, argValue)),
    };
  });
  return items.flatMap((item) =>
    shown
      .filter(({ field, value }) => differs(field, item, value))
      .map(({ field, value, title, text }): Change => {
        const now = field.now(item);
        const after = field.after?.(item, value) ?? value;
        const change = { id: entity.id(item), label: entity.label(item), field: title };
        if (!Array.isArray(now) || !Array.isArray(after)) return { ...change, before: text(now), after: text(after) };
        const [before, next] = [new Set(now as readonly string[]), new Set(after as readonly string[])];
        return {
          ...change,
          added: [...next].filter((name) => !before.has(name)).map((name) => nameText(field, name)),
          removed: [...before].filter((name) => !next.has(name)).map((name) => nameText(field, name)),
        };
      }),
  );
}

export function fieldName(noun: string, name: string): Message {
  return message(`${noun}:fields.${name}`);
}

/**
 * What a form starts with: the values that all items share; where they differ, 'Various' and an empty value (spec 5).
 */
export function initialOf<Item>(fields: Fields<Item>, items: readonly Item[]): Initial {
  const values: Record<string, ArgValue> = {};
  const various: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const [first, ...others] = items.map((item) => field.now(item));
    if (others.some((value) => fingerprint(value) !== fingerprint(first))) various.push(name);
    else if (first !== undefined) values[name] = first;
  }
  return { values, various };
}

/**
 * The invocations that put back what the changed items had, one for each group that had the same. A field whose former
 * value is unknown cannot be put back, and then there is no way back at all.
 */
export function restore<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  how: { readonly id: string; readonly target: string; readonly wanted: Wanted; readonly more?: Args },
  items: readonly Item[],
  outcome: Outcome,
): readonly Invocation[] {
  const done = new Set(maybeChanged(outcome).map((result) => result.id));
  const changed = items.filter((item) => done.has(entity.id(item)));
  if (!isRestorable(fields, how.wanted, changed)) return [];
  const former = changed.map((item) => ({
    id: entity.id(item),
    args: Object.fromEntries(
      Object.entries(how.wanted)
        .filter(([name, value]) => differs(fields[name]!, item, value))
        .map(([name]) => [name, fields[name]!.now(item)]),
    ),
  }));
  const same = groupBy(former, ({ args }) =>
    Object.entries(args)
      .map(([name, value]) => `${name}=${fingerprint(value)}`)
      .join(),
  );
  return [...same.values()].map((group) => ({
    id: how.id,
    args: { [how.target]: { ids: group.map(({ id }) => id) }, ...how.more, ...group[0]!.args },
  }));
}

/** True when {@link restore} will find the former value of every field. */
export function isRestorable<Item>(fields: Fields<Item>, wanted: Wanted, items: readonly Item[]): boolean {
  return items.every((item) =>
    Object.entries(wanted).every(([name, value]) => {
      const field = fields[name]!;
      return field.now(item) !== undefined && (field.restores?.(item, value) ?? true);
    }),
  );
}
