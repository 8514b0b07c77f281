import { command, type Command, type CommandSpec, type Resolved } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { CreatedItem } from '#commands/model/errors.ts';
import type { Params } from '#commands/model/kinds.ts';
import { maybeChanged, type Outcome } from '#commands/model/result.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { CallContext } from './bulk-action.ts';

/** A created item, and what to report instead of `<noun>:done.create` and its id. */
export type Created = CreatedItem & Pick<Outcome, 'message' | 'reveal' | 'data'>;

export interface CreateSpec<P extends Params> extends Pick<
  CommandSpec<P>,
  'requires' | 'keys' | 'positional' | 'problems' | 'preview'
> {
  readonly entity: Pick<AnyEntity, 'name' | 'plural'>;
  /** The default is `create`. */
  readonly verb?: string;
  readonly params: P;
  /** The name of the new item in the plan and in the message. */
  readonly nameOf: (args: Resolved<P>) => string | Promise<string>;
  /** Values for both messages, in addition to `name`. */
  readonly values?: (args: Resolved<P>) => Message['values'];
  /** Returns the plan's notes. Throws if the item can't be created. */
  readonly notes?: (context: Context, args: Resolved<P>) => readonly Message[] | Promise<readonly Message[]>;
  /** Creates the item. Returns undefined if the server does not report which item it created. */
  readonly call: (context: CallContext, args: Resolved<P>) => Promise<Created | undefined>;
  /** The verb that deletes the new item, and the name of its param if that is not the entity's plural. */
  readonly undo?: { readonly verb: string; readonly target?: string };
  /** False if the caller may not undo it. The default is true if there is an `undo`. */
  readonly reversible?: (context: Context) => boolean;
  /** Names of other entities whose lists are stale afterwards. */
  readonly changed?: readonly string[];
}

/**
 * Declares a command that creates one item: the plan, the result, and the inverse, which deletes the item. Its messages
 * are `<noun>:plan.create` and `<noun>:done.create`, both with `{{name}}`; the second also has `{{id}}`.
 */
export function createAction<const P extends Params>(spec: CreateSpec<P>): Command {
  const { entity, verb = 'create', params, nameOf, call, undo, changed = [] } = spec;
  const [planKey, doneKey] = [`${entity.name}:plan.create`, `${entity.name}:done.create`];
  const valuesOf = async (args: Resolved<P>) => ({ ...spec.values?.(args), name: await nameOf(args) });

  return command<P>({
    id: `${entity.name}.${verb}`,
    effect: 'write',
    params,
    derivedMessages: [message(planKey), message(doneKey)],
    ...(spec.requires === undefined ? {} : { requires: spec.requires }),
    ...(spec.keys ? { keys: spec.keys } : {}),
    ...(spec.positional ? { positional: spec.positional } : {}),
    ...(spec.problems ? { problems: spec.problems } : {}),
    ...(spec.preview ? { preview: spec.preview } : {}),
    plan: async (context, args) => ({
      summary: message(planKey, await valuesOf(args)),
      count: 1,
      changes: [],
      notes: (await spec.notes?.(context, args)) ?? [],
      reversible: undo !== undefined && (spec.reversible?.(context) ?? true),
    }),
    run: async (context, args) => {
      const created = await call({ ...context, organization: context.organization.id }, args);
      const { id, label, reveal } = created ?? {};
      const values = { ...(await valuesOf(args)), ...(id === undefined ? {} : { id }) };
      return {
        changed: [entity.name, ...changed],
        message: created?.message ?? message(doneKey, values),
        ...(id === undefined || label === undefined ? {} : { results: [{ id, label }], data: created?.data ?? { id } }),
        ...(reveal ? { reveal } : {}),
      };
    },
    ...(undo
      ? {
          inverse: (_args: unknown, outcome: Outcome) => {
            const ids = maybeChanged(outcome).map(({ id }) => id);
            const args = { [undo.target ?? entity.plural]: { ids } };
            return ids.length === 0 ? [] : [{ id: `${entity.name}.${undo.verb}`, args }];
          },
        }
      : {}),
  });
}
