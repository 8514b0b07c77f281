import type { Ability } from '#commands/model/ability.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Param, Params } from '#commands/model/kinds.ts';
import { p } from '#commands/model/params.ts';
import { succeededResults, type ItemResult, type Outcome } from '#commands/model/result.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { message, type Message } from '#commands/text/message.ts';

import { type CallContext, send, type SendOptions } from './bulk-action.ts';
import { editPlan, countedPlan, completedEditMessage } from './edit-plan.ts';
import { createInitial, restore, splitUnchanged, toNewValues, type Field, type NewValues } from './editing.ts';

/** A field that a command can set: its current value, and the param for the new one. */
export interface EditableField<Item> extends Field<Item> {
  readonly param: Param;
}

/** The new values of fields, and all arguments of the command. */
export interface EditInput {
  readonly newValues: NewValues;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The items of one edit, and what it gives them. */
export interface ItemEdit<Item> extends EditInput {
  readonly items: readonly Item[];
}

export interface EditSpec<Item> extends Omit<SendOptions<Item, EditInput>, 'call'> {
  readonly entity: Entity<Item>;
  readonly verb: string;
  /** Name of the param for the items. */
  readonly target: string;
  readonly fields: Readonly<Record<string, EditableField<Item>>>;
  readonly requires: Ability | readonly Ability[];
  readonly keys?: readonly string[];
  /** True if the command prompts for its fields. An editor with many fields does not. */
  readonly prompts?: boolean;
  /** Other arguments with which undo restores the former values, such as an acknowledgement. */
  readonly restoreArgs?: (newValues: NewValues) => Args;
  /** Params that aren't fields, such as an acknowledgement. */
  readonly params?: Params;
  /** Entities whose lists are stale afterwards. */
  readonly changed: readonly string[];
  readonly problems?: (
    items: readonly Item[],
    newValues: NewValues,
    args: Readonly<Record<string, unknown>>,
  ) => Partial<Record<string, Message>>;
  /**
   * Counts the items that match a filter by their current value, for a single field. Undefined if counts are
   * unavailable.
   */
  readonly count?: (context: Context, query: string) => Promise<ReadonlyMap<string, number> | undefined>;
  readonly preview?: Command['preview'];
  readonly example?: Command['example'];
  /**
   * Makes one call for items of the same organization. It usually has one edit, and several for a table with other
   * values in each row. Must change nothing if it throws.
   */
  readonly call: SendOptions<Item, EditInput>['call'] | { readonly together: CallTogether<Item> };
  /** Throws for a value that only the server can validate. */
  readonly check?: (context: Context, newValues: NewValues) => Promise<void>;
  /**
   * The id of the item after the edit, if the contract identifies items by a name that the edit can change. Undefined
   * if the edit keeps the id. Undo and the panel look for the item by the new id.
   */
  readonly newId?: (newValues: NewValues) => string | undefined;
}

type CallTogether<Item> = (context: CallContext, edits: readonly ItemEdit<Item>[]) => Promise<void>;

/**
 * Declares a command that sets fields of items. It prompts for a single field, and shows several fields in a form. Undo
 * runs the noun's `edit` command.
 */
export function editCommand<Item>(spec: EditSpec<Item>): Command {
  const { entity, fields, target, prompts = true, organization } = spec;
  const together = typeof spec.call === 'function' ? undefined : spec.call.together;
  const sendOptions: SendOptions<Item, EditInput> = {
    ...spec,
    call:
      typeof spec.call === 'function'
        ? spec.call
        : (callContext, chunk, input) => together!(callContext, [{ ...input, items: chunk }]),
  };
  const names = Object.keys(fields);
  const items = (args: Readonly<Record<string, unknown>>) => (args[target] as SelectedItems<Item>).items;
  const toOutcome = (newValues: NewValues, sendResults: readonly ItemResult[]): Outcome => {
    const results = addNewId(entity, sendResults, spec.newId?.(newValues));
    return { changed: spec.changed, results, message: completedEditMessage(entity, fields, newValues, results) };
  };
  const params: Params = {
    [target]: p.many(() => entity),
    ...Object.fromEntries(names.map((name) => [name, { ...fields[name]!.param, required: prompts }])),
    ...spec.params,
  };
  return command({
    id: `${entity.name}.${spec.verb}`,
    on: () => entity,
    requires: spec.requires,
    effect: 'write',
    ...(spec.keys ? { keys: spec.keys } : {}),
    params,
    positional: prompts && names.length === 1 ? [target, names[0]!] : [target],
    initial: async (_context, args) => createInitial(fields, items(args)),
    problems: (_context, args) => ({
      ...emptyProblems(fields, toNewValues(fields, args)),
      ...spec.problems?.(items(args), toNewValues(fields, args), args),
    }),
    ...(spec.preview ? { preview: spec.preview } : {}),
    ...(spec.example ? { example: spec.example } : {}),
    plan: async (context, args) => {
      const newValues = toNewValues(fields, args);
      await spec.check?.(context, newValues);
      return editPlan(entity, fields, newValues, items(args));
    },
    ...(spec.count
      ? {
          outline: async (context: Context, args: Readonly<Record<string, unknown>>, query: string) => {
            const newValues = toNewValues(fields, args);
            await spec.check?.(context, newValues);
            const counts = await spec.count?.(context, query);
            return counts && countedPlan(entity, fields, newValues, counts);
          },
        }
      : {}),
    run: async (context, args) => {
      const newValues = toNewValues(fields, args);
      const { itemsToChange } = splitUnchanged(fields, newValues, items(args));
      const { results: sendResults } = await send(context, entity, sendOptions, itemsToChange, { newValues, args });
      return toOutcome(newValues, sendResults);
    },
    ...(together
      ? {
          together: {
            key: (item: unknown) => organization?.(item as Item) ?? '',
            run: async (context: RunContext, argsOfRuns: readonly Readonly<Record<string, unknown>>[]) => {
              const edits = argsOfRuns.map((args): ItemEdit<Item> => {
                const newValues = toNewValues(fields, args);
                return { newValues, args, items: splitUnchanged(fields, newValues, items(args)).itemsToChange };
              });
              const [first] = edits.flatMap((edit) => edit.items);
              const slug = (first && organization?.(first)) ?? context.organization.id;
              if (first)
                await together(
                  { ...context, organization: slug },
                  edits.filter((edit) => edit.items.length > 0),
                );
              return edits.map((edit) =>
                toOutcome(
                  edit.newValues,
                  edit.items.map((item) => ({ id: entity.id(item), label: entity.label(item) })),
                ),
              );
            },
          },
        }
      : {}),
    inverse: (args, outcome) => {
      const newValues = toNewValues(fields, args);
      const edit = { id: `${entity.name}.edit`, target, newValues, extraArgs: spec.restoreArgs?.(newValues) ?? {} };
      return restore(entity, fields, edit, items(args), outcome);
    },
  });
}

/** Rejects an empty string for a field that can't be cleared. The server would reject it or keep the current value. */
function emptyProblems<Item>(
  fields: Readonly<Record<string, EditableField<Item>>>,
  newValues: NewValues,
): Record<string, Message> {
  const isRejected = (name: string): boolean => {
    const param = fields[name]!.param;
    return newValues[name] === '' && (param.kind === 'text' || param.kind === 'secret') && !param.clears;
  };
  const names = Object.keys(newValues).filter(isRejected);
  return Object.fromEntries(names.map((name) => [name, message('core:validation.required')]));
}

/** Adds the new id to the results of renamed items. */
function addNewId<Item>(
  { name }: Entity<Item>,
  results: readonly ItemResult[],
  newId: string | undefined,
): readonly ItemResult[] {
  if (newId === undefined) return results;
  const renamedResults = new Set(succeededResults({ results }).filter(({ id }) => id !== newId));
  return results.map((result) =>
    renamedResults.has(result) ? { ...result, renamedTo: { entity: name, id: newId } } : result,
  );
}
