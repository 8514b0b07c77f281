import type { ArgValue } from '#commands/model/arg-value.ts';
import type { InitialValues } from '#commands/model/command.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { Invocation, Args } from '#commands/model/invocation.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Change, ValueText } from '#commands/model/plan.ts';
import { maybeChanged, type Outcome } from '#commands/model/result.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

/**
 * An editable field of an item, keyed by the param that sets it. Plans, forms ('Various'), no-change detection, and
 * undo all derive from its `current` value and the value it would have `after`.
 */
export interface Field<Item> {
  /** The param value that would leave the item unchanged. Undefined if it is unknown, as for a sealed secret. */
  current(item: Item): ArgValue | undefined;
  /** The resulting value, if it differs from the argument. */
  after?(item: Item, value: ArgValue): ArgValue;
  /** The value of the field after clearing it, if not empty. */
  whenCleared?(item: Item): ArgValue;
  /** False if setting the value destroys something that `current` does not return, so undo cannot restore it. */
  canRestore?(item: Item, value: ArgValue): boolean;
  /** Converts the resolved argument to a value, such as devices to their numbers. */
  fromArgument?(resolved: unknown): ArgValue | undefined;
  /**
   * The text of a value in a plan, if the param doesn't determine it. Absent for a secret, whose values are hidden.
   */
  text?(value: ArgValue): ValueText;
  readonly secret?: boolean;
  /** The param that sets this field. Plans label its choices as prompts do. */
  readonly param?: Param;
}

export type Fields<Item> = Readonly<Record<string, Field<Item>>>;

/** The values to set, keyed by field. Fields without an argument are absent. */
export type NewValues = Readonly<Record<string, ArgValue>>;

export function toNewValues<Item>(fields: Fields<Item>, args: Readonly<Record<string, unknown>>): NewValues {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = field.fromArgument ? field.fromArgument(args[name]) : (args[name] as ArgValue | undefined);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/**
 * Serializes a value for comparison. The order of keys in a map and of names in a list makes no difference. An unknown
 * value differs from every known value.
 */
export function fingerprint(value: ArgValue | undefined): string {
  if (Array.isArray(value)) return JSON.stringify((value as readonly string[]).toSorted());
  if (typeof value === 'object') return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(value) ?? '';
}

function valueAfter<Item>(field: Field<Item>, item: Item, value: ArgValue): ArgValue {
  return (value === '' ? field.whenCleared?.(item) : undefined) ?? field.after?.(item, value) ?? value;
}

function differs<Item>(field: Field<Item>, item: Item, value: ArgValue): boolean {
  return fingerprint(field.current(item)) !== fingerprint(valueAfter(field, item, value));
}

/** Finds the items to change and counts the items that already have every new value. */
export function splitUnchanged<Item>(fields: Fields<Item>, newValues: NewValues, items: readonly Item[]) {
  const itemsToChange = items.filter((item) =>
    Object.entries(newValues).some(([name, value]) => differs(fields[name]!, item, value)),
  );
  return { itemsToChange, unchangedCount: items.length - itemsToChange.length };
}

/** Placeholder for a value that is never shown. */
export const HIDDEN = '••••••';

/** Returns the text for a field's value in a plan. */
export function valueText<Item>(field: Field<Item>, value: ArgValue | undefined): ValueText {
  if (value === undefined || value === '') return undefined;
  if (field.secret) return HIDDEN;
  if (field.text) return field.text(value);
  const { param } = field;
  if (param?.kind === 'choice' && param.label) return param.label(value as string);
  if (typeof value === 'boolean') return message(value ? 'common:yes' : 'common:no');
  return typeof value === 'object' ? fingerprint(value) : String(value);
}

/** Formats one list entry for a plan. */
function nameText<Item>({ param, text }: Field<Item>, name: string): string | Message {
  if (param?.kind === 'choices' && param.label) return param.label(name);
  return text?.([name]) ?? name;
}

/** Caches the text of each value, because a plan may contain 100,000 changes to the same value. */
function memoize(text: (value: ArgValue | undefined) => ValueText): (value: ArgValue | undefined) => ValueText {
  const cache = new Map<ArgValue | undefined, ValueText>();
  return (value) => {
    if (!cache.has(value)) cache.set(value, text(value));
    return cache.get(value);
  };
}

/** Returns the changes that the plan shows, item by item and field by field. */
export function listChanges<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  newValues: NewValues,
  items: readonly Item[],
): readonly Change[] {
  const edits = Object.entries(newValues).map(([name, value]) => {
    const field = fields[name]!;
    return {
      field,
      value,
      title: fieldName(entity.name, name),
      text: memoize((argValue) => valueText(field, argValue)),
    };
  });
  return items.flatMap((item) =>
    edits
      .filter(({ field, value }) => differs(field, item, value))
      .map(({ field, value, title, text }): Change => {
        const current = field.current(item);
        const after = valueAfter(field, item, value);
        const change = { id: entity.id(item), label: entity.label(item), field: title };
        if (!Array.isArray(current) || !Array.isArray(after))
          return { ...change, before: text(current), after: text(after) };
        const [before, next] = [new Set(current as readonly string[]), new Set(after as readonly string[])];
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
 * Returns the initial values of a form: the values that all items share, and the fields that differ by name. Those
 * fields are empty and labeled 'Various' (spec 5).
 */
export function createInitial<Item>(fields: Fields<Item>, items: readonly Item[]): InitialValues {
  const values: Record<string, ArgValue> = {};
  const various: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const [first, ...others] = items.map((item) => field.current(item));
    if (others.some((value) => fingerprint(value) !== fingerprint(first))) various.push(name);
    else if (first !== undefined) values[name] = first;
  }
  return { values, various };
}

/**
 * Returns the invocations that restore the former values of the changed items, one for each group of items that had the
 * same values. Empty if the former value of any field is unknown, because such an edit cannot be undone.
 */
export function restore<Item>(
  entity: Entity<Item>,
  fields: Fields<Item>,
  edit: { readonly id: string; readonly target: string; readonly newValues: NewValues; readonly extraArgs?: Args },
  items: readonly Item[],
  outcome: Outcome,
): readonly Invocation[] {
  const newIds = new Map(maybeChanged(outcome).map(({ id, renamedTo }) => [id, renamedTo?.id ?? id]));
  const changedItems = items.filter((item) => newIds.has(entity.id(item)));
  if (!isRestorable(fields, edit.newValues, changedItems)) return [];
  const restorations = changedItems.map((item) => ({
    id: newIds.get(entity.id(item))!,
    args: Object.fromEntries(
      Object.entries(edit.newValues)
        .filter(([name, value]) => differs(fields[name]!, item, value))
        .map(([name]) => [name, fields[name]!.current(item)]),
    ),
  }));
  const groups = groupBy(restorations, ({ args }) =>
    Object.entries(args)
      .map(([name, value]) => `${name}=${fingerprint(value)}`)
      .join(),
  );
  return [...groups.values()].map((group) => ({
    id: edit.id,
    args: { [edit.target]: { ids: group.map(({ id }) => id) }, ...edit.extraArgs, ...group[0]!.args },
  }));
}

/** True if {@link restore} will find the former value of every field. */
export function isRestorable<Item>(fields: Fields<Item>, newValues: NewValues, items: readonly Item[]): boolean {
  return items.every((item) =>
    Object.entries(newValues).every(([name, value]) => {
      const field = fields[name]!;
      return field.current(item) !== undefined && (field.canRestore?.(item, value) ?? true);
    }),
  );
}
