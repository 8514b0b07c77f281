import type { Command, ResolvedArgs } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError, failureOf } from '#commands/model/errors.ts';
import { fileContent } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import { ASK, type ArgValue, type Kind, type KindValues } from '#commands/model/arg-value.ts';
import { type Found, type Param, type ParamShapes, unaskedPairs } from '#commands/model/kinds.ts';
import { message } from '#commands/text/message.ts';
import { findOne, lookUp, notFound, type Refuse, selectedOf } from './lookup.ts';
import { missingMessage } from '#commands/model/params.ts';
import { checkValue, isBlank, lengthProblem, lineProblem } from './values.ts';

type Resolver<Value = ArgValue, Of = Param> = (
  value: Value,
  param: Of,
  context: Context,
  refuse?: Refuse<unknown>,
) => Promise<unknown>;

/** Resolvers by kind: what `plan` and `run` receive for a value. Kinds without one are taken as they are. */
const resolvers: { readonly [K in Kind]?: Resolver<KindValues[K], Param<K>> } = {
  ref: async (value, param, context) => one(value, param, context),
  refs: async (value, param, context) =>
    Promise.all(value.map((text) => one(text, param as Param<'refs'> & ParamShapes['refs'], context))),
  file: async (value) => {
    const content = value === '' ? value : fileContent(value);
    // A kept command has only its name: nothing of the content is in history or in a link.
    if (content === undefined) throw new CommandError(message('core:validation.fileUnread', { value }));
    return content;
  },
  many: async (value, param, context, refuse) => lookUp(entityOf(param), value, context, refuse),
};

function entityOf(param: Param<'many'>): AnyEntity {
  return (param as Param<'many'> & { entity: () => AnyEntity }).entity();
}

type Reference = Pick<ParamShapes['ref'], 'entity' | 'orCreate' | 'maxLength'>;

async function one(text: string, { entity: of, orCreate, ...lengths }: Reference, context: Context): Promise<unknown> {
  const entity = of();
  const item = await findOne(entity, text, context);
  const wrong = orCreate && item === undefined ? (lengthProblem(text, lengths) ?? lineProblem(text)) : undefined;
  if (wrong) throw new CommandError(wrong);
  if (orCreate) return (item === undefined ? { create: text } : { item }) satisfies Found<unknown>;
  if (item === undefined) throw await notFound(entity, text, context);
  return item;
}

/**
 * Checks arguments and looks up what they name, all in one moment: what is planned is what is run. Its items, of which
 * there may be thousands, are looked up last, and no further than it takes to see that they cannot be acted on.
 * @throws CommandError naming the param: missing, malformed, unknown, ambiguous or refused by a rule.
 */
export async function resolveArgs(command: Command, given: Args, context: Context): Promise<ResolvedArgs> {
  const params = Object.entries(command.params).map(([name, param]) => {
    const checked = { ...param, required: isRequired(param, given) };
    const value = given[name] ?? param.fallback;
    check(name, checked, value, context);
    return { name, param: checked, value };
  });
  const resolved: Record<string, unknown> = {};
  for (const { name, param, value } of params.toSorted((a, b) => takesMany(a.param) - takesMany(b.param))) {
    resolved[name] = await resolveParam(name, param, value, context, (items) =>
      refuseProblem({ ...resolved, [name]: selectedOf(entityOf(param as Param<'many'>), items) }),
    );
  }
  refuseProblem(resolved);
  return resolved;

  function refuseProblem(args: ResolvedArgs): void {
    const [problem] = Object.entries(command.problems?.(context, args) ?? {});
    if (problem?.[1]) throw new CommandError(problem[1], problem[0]);
  }
}

function takesMany({ kind }: Param): number {
  return Number(kind === 'many');
}

/** @throws CommandError naming the param: missing or malformed. */
function check(name: string, param: Param, value: ArgValue | undefined, context: Context): void {
  if (value === undefined || (param.required && isUnsaid(value, param))) {
    if (param.required) throw new CommandError(missingMessage(param), name);
    return;
  }
  if ((param.kind === 'secret' && value === ASK) || unaskedPairs(param, value).length > 0)
    throw new CommandError(message('core:line.unasked'), name);
  const wrong = checkValue(param, value, context);
  if (wrong) throw new CommandError(wrong, name);
}

async function resolveParam(
  name: string,
  param: Param,
  value: ArgValue | undefined,
  context: Context,
  refuse?: Refuse<unknown>,
): Promise<unknown> {
  const resolver = resolvers[param.kind] as Resolver | undefined;
  if (value === undefined || !resolver) return value;
  try {
    return await resolver(value, param, context, refuse);
  } catch (error) {
    if (error instanceof CommandError) throw error.in(name);
    // What the server does not find is what the param names.
    const { code, message: text } = failureOf(error);
    throw code === 'not_found' ? new CommandError(text, name) : error;
  }
}

/** Whether a value still has to be asked for. */
function isUnsaid(value: ArgValue | undefined, param: Param): boolean {
  if (value === undefined || value === ASK) return true;
  const isEmpty = value === '' || (typeof value === 'string' && param.kind !== 'secret' && isBlank(value));
  return isEmpty && !param.clears;
}

/** Whether a param must be given, as the others are. */
export function isRequired({ required, unless }: Param, given: Args): boolean {
  return required && !(unless !== undefined && given[unless] === true);
}

/** Names of the required params that are not given yet, in the order they are asked for. */
export function missingParams(command: Command, given: Args): readonly string[] {
  return Object.entries(command.params)
    .filter(([name, param]) => isRequired(param, given) && isUnsaid(given[name], param))
    .map(([name]) => name);
}

/**
 * What was given so far, looked up: for a form's `initial`, while the rest is still to come.
 * @throws CommandError as {@link resolveArgs}.
 */
export async function resolveGiven(command: Command, given: Args, context: Context): Promise<ResolvedArgs> {
  const entries = Object.entries(command.params).filter(([name]) => given[name] !== undefined);
  const resolved = entries.map(async ([name, param]) => {
    check(name, param, given[name], context);
    return [name, await resolveParam(name, param, given[name], context)] as const;
  });
  return Object.fromEntries(await Promise.all(resolved));
}
