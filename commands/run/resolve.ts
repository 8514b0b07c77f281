import type { Command, ResolvedArgs } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError, failureOf } from '#commands/model/errors.ts';
import { fileContent } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import { ASK, type ArgValue, type Kind, type KindValues } from '#commands/model/arg-value.ts';
import { type Found, type Param, unaskedPairs } from '#commands/model/kinds.ts';
import { message } from '#commands/text/message.ts';
import { findOne, lookUp, notFound } from './lookup.ts';
import { missingMessage } from '#commands/model/params.ts';
import { checkValue, lineProblem } from './values.ts';

/** Resolvers by kind: what `plan` and `run` receive for a value. Kinds without one are taken as they are. */
const resolvers: {
  readonly [K in Kind]?: (value: KindValues[K], param: Param<K>, context: Context) => Promise<unknown>;
} = {
  ref: async (value, param, context) => {
    const entity = (param as Param<'ref'> & { entity: () => AnyEntity }).entity();
    return one(entity, value, Boolean((param as { orCreate?: boolean }).orCreate), context);
  },
  refs: async (value, param, context) => {
    const { entity, orCreate } = param as Param<'refs'> & { entity: () => AnyEntity; orCreate?: boolean };
    return Promise.all(value.map((each) => one(entity(), each, Boolean(orCreate), context)));
  },
  file: async (value) => {
    const content = value === '' ? value : fileContent(value);
    // A kept command has only its name: nothing of the content is in history or in a link.
    if (content === undefined) throw new CommandError(message('core:validation.fileUnread', { value }));
    return content;
  },
  many: async (value, param, context) =>
    lookUp((param as Param<'many'> & { entity: () => AnyEntity }).entity(), value, context),
};

async function one(entity: AnyEntity, text: string, orCreate: boolean, context: Context): Promise<unknown> {
  const item = await findOne(entity, text, context);
  const wrong = orCreate && item === undefined ? lineProblem(text) : undefined;
  if (wrong) throw new CommandError(wrong);
  if (orCreate) return (item === undefined ? { create: text } : { item }) satisfies Found<unknown>;
  if (item === undefined) throw await notFound(entity, text, context);
  return item;
}

/**
 * Checks arguments and looks up what they name, all in one moment: what is planned is what is run.
 * @throws CommandError naming the param: missing, malformed, unknown, ambiguous or refused by a rule.
 */
export async function resolveArgs(of: Command, given: Args, context: Context): Promise<ResolvedArgs> {
  const resolved: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(of.params)) {
    const required = isRequired(param, given);
    resolved[name] = await resolveParam(name, { ...param, required }, given[name] ?? param.fallback, context);
  }
  const [problem] = Object.entries(of.problems?.(context, resolved) ?? {});
  if (problem?.[1]) throw new CommandError(problem[1], problem[0]);
  return resolved;
}

async function resolveParam(
  name: string,
  param: Param,
  value: ArgValue | undefined,
  context: Context,
): Promise<unknown> {
  if (value === undefined || (param.required && isUnsaid(value, param))) {
    if (param.required) throw new CommandError(missingMessage(param), name);
    return undefined;
  }
  if ((param.kind === 'secret' && value === ASK) || unaskedPairs(param, value).length > 0)
    throw new CommandError(message('core:line.unasked'), name);
  const wrong = checkValue(param, value, context);
  if (wrong) throw new CommandError(wrong, name);
  const resolver = resolvers[param.kind] as ((v: ArgValue, p: Param, c: Context) => Promise<unknown>) | undefined;
  if (!resolver) return value;
  try {
    return await resolver(value, param, context);
  } catch (error) {
    if (error instanceof CommandError) throw error.in(name);
    // What the server does not find is what the param names.
    const { code, message: text } = failureOf(error);
    throw code === 'not_found' ? new CommandError(text, name) : error;
  }
}

/** Whether a value still has to be asked for. */
function isUnsaid(value: ArgValue | undefined, param: Param): boolean {
  return value === undefined || value === ASK || (value === '' && !param.clears);
}

/** Whether a param must be given, as the others are. */
export function isRequired({ required, unless }: Param, given: Args): boolean {
  return required && !(unless !== undefined && given[unless] === true);
}

/** Names of the required params that are not given yet, in the order they are asked for. */
export function missingParams(of: Command, given: Args): readonly string[] {
  return Object.entries(of.params)
    .filter(([name, param]) => isRequired(param, given) && isUnsaid(given[name], param))
    .map(([name]) => name);
}

/**
 * What was given so far, looked up: for a form's `initial`, while the rest is still to come.
 * @throws CommandError as {@link resolveArgs}.
 */
export async function resolveGiven(of: Command, given: Args, context: Context): Promise<ResolvedArgs> {
  const entries = Object.entries(of.params).filter(([name]) => given[name] !== undefined);
  const resolved = entries.map(
    async ([name, param]) => [name, await resolveParam(name, param, given[name], context)] as const,
  );
  return Object.fromEntries(await Promise.all(resolved));
}
