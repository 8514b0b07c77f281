import { ASK, type ArgValue, type Kind, type KindValues } from '#commands/model/arg-value.ts';
import type { Command, ResolvedArgs } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError, failureOf } from '#commands/model/errors.ts';
import { fileContent, type FileContent } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import { type ItemOrNew, type Param, type ParamShapes, unansweredPairs } from '#commands/model/kinds.ts';
import { missingMessage } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';

import { findOne, lookUp, createNotFoundError, type Validate, toSelectedItems } from './lookup.ts';
import { checkValue, isBlank, lengthProblem, lineProblem } from './values.ts';

type Resolver<Value = ArgValue, P = Param> = (
  value: Value,
  param: P,
  context: Context,
  validate?: Validate<unknown>,
) => Promise<unknown>;

/**
 * The resolvers by kind. They produce the values that `plan` and `run` receive. Values of other kinds stay unchanged.
 */
const resolvers: { readonly [K in Kind]?: Resolver<KindValues[K], Param<K>> } = {
  ref: async (value, param, context) => findReference(value, param, context),
  refs: async (value, param, context) => findReferences(value, param, context),
  file: async (value) => (value === '' ? value : readFile(value)),
  files: async (values) => values.map(readFile),
  many: async (value, param, context, validate) => lookUp(entityOf(param), value, context, validate, param.atMost),
};

function readFile(value: string): FileContent {
  const content = fileContent(value);
  // A stored command has only the file's name, because the content is never part of the history or of a link.
  if (content === undefined) throw new CommandError(message('core:validation.fileUnread', { value }));
  return content;
}

function entityOf(param: Param<'many'>): AnyEntity {
  return (param as Param<'many'> & { entity: () => AnyEntity }).entity();
}

type Reference = Pick<ParamShapes['ref'], 'entity' | 'orCreate' | 'maxLength'>;

/** Looks up each name of a list. If one is unknown, the list may be the name of one item that contains commas. */
async function findReferences(
  names: readonly string[],
  reference: Reference,
  context: Context,
): Promise<readonly unknown[]> {
  try {
    return await Promise.all(names.map((name) => findReference(name, reference, context)));
  } catch (error) {
    const item =
      names.length > 1 && error instanceof CommandError
        ? await findOne(reference.entity(), names.join(', '), context)
        : undefined;
    if (item === undefined) throw error;
    return [item];
  }
}

async function findReference(
  text: string,
  { entity: getEntity, orCreate, ...lengths }: Reference,
  context: Context,
): Promise<unknown> {
  const entity = getEntity();
  const item = await findOne(entity, text, context);
  const problem = orCreate && item === undefined ? (lengthProblem(text, lengths) ?? lineProblem(text)) : undefined;
  if (problem) throw new CommandError(problem);
  if (orCreate) return (item === undefined ? { create: text.trim() } : { item }) satisfies ItemOrNew<unknown>;
  if (item === undefined) throw await createNotFoundError(entity, text, context);
  return item;
}

/**
 * Checks the arguments and looks up the items that they name before planning, so the run acts on exactly the planned
 * items. Looks up the target last and stops if the command's rules reject it, because it can have thousands of items.
 *
 * @throws CommandError that names the param with a missing, malformed, unknown, ambiguous, or rejected value.
 */
export async function resolveArgs(command: Command, args: Args, context: Context): Promise<ResolvedArgs> {
  const params = Object.entries(command.params).map(([name, param]) => {
    const effectiveParam = { ...param, required: isRequired(param, args) };
    const value = args[name] ?? param.fallback;
    check(name, effectiveParam, value, context);
    return { name, param: effectiveParam, value };
  });
  const resolvedArgs: Record<string, unknown> = {};
  for (const { name, param, value } of params.toSorted((a, b) => lookupOrder(a.param) - lookupOrder(b.param))) {
    resolvedArgs[name] = await resolveParam(name, param, value, context, (items) =>
      throwFirstProblem({ ...resolvedArgs, [name]: toSelectedItems(entityOf(param as Param<'many'>), items) }),
    );
  }
  throwFirstProblem(resolvedArgs);
  return resolvedArgs;

  function throwFirstProblem(args: ResolvedArgs): void {
    const [firstProblem] = Object.entries(command.problems?.(context, args) ?? {});
    if (firstProblem?.[1]) throw new CommandError(firstProblem[1], firstProblem[0]);
  }
}

function lookupOrder({ kind }: Param): number {
  return Number(kind === 'many');
}

/**
 * Checks the value of a param.
 *
 * @throws CommandError that names the param if it is missing or malformed
 */
function check(name: string, param: Param, value: ArgValue | undefined, context: Context): void {
  if (value === undefined || (param.required && isMissing(value, param))) {
    if (param.required) throw new CommandError(missingMessage(param), name);
    return;
  }
  if ((param.kind === 'secret' && value === ASK) || unansweredPairs(param, value).length > 0)
    throw new CommandError(message('running:line.unasked'), name);
  const problem = checkValue(param, value, context);
  if (problem) throw new CommandError(problem, name);
}

async function resolveParam(
  name: string,
  param: Param,
  value: ArgValue | undefined,
  context: Context,
  validate?: Validate<unknown>,
): Promise<unknown> {
  const resolver = resolvers[param.kind] as Resolver | undefined;
  if (value === undefined || !resolver) return value;
  try {
    return await resolver(value, param, context, validate);
  } catch (error) {
    if (error instanceof CommandError) throw error.forParam(name);
    // A "not found" error from the server refers to the param's value.
    const { code, message: userMessage } = failureOf(error);
    throw code === 'not_found' ? new CommandError(userMessage, name) : error;
  }
}

/** True if the user still has to enter a value. */
function isMissing(value: ArgValue | undefined, param: Param): boolean {
  if (value === undefined || value === ASK) return true;
  const isEmpty = value === '' || (typeof value === 'string' && param.kind !== 'secret' && isBlank(value));
  return isEmpty && !param.clears;
}

/** True if the param is required, which can depend on the other arguments. */
export function isRequired({ required, unless }: Param, args: Args): boolean {
  const alternative = unless === undefined ? undefined : args[unless];
  return required && (alternative === undefined || alternative === false || alternative === '');
}

/** Returns the names of required params without a value, in the order of prompting. */
export function missingParams(command: Command, args: Args): readonly string[] {
  return Object.entries(command.params)
    .filter(([name, param]) => isRequired(param, args) && isMissing(args[name], param))
    .map(([name]) => name);
}

/**
 * Resolves incomplete arguments, for a form's `initial`.
 *
 * @throws CommandError like {@link resolveArgs}.
 */
export async function resolvePartial(command: Command, args: Args, context: Context): Promise<ResolvedArgs> {
  const entries = Object.entries(command.params).filter(([name]) => args[name] !== undefined);
  const resolutions = entries.map(async ([name, param]) => {
    check(name, param, args[name], context);
    return [name, await resolveParam(name, param, args[name], context)] as const;
  });
  return Object.fromEntries(await Promise.all(resolutions));
}
