import { parseValue } from '#commands/line/line.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Command, Initial } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import { missingMessage } from '#commands/model/params.ts';
import { missingParams } from '#commands/run/resolve.ts';
import { checkValue } from '#commands/run/values.ts';
import type { Message } from '#commands/text/message.ts';
import { lookupFailure } from '#src/data/failure.ts';

/** The state of a form: the entered values, and the current values of its items. */
export interface FormDraft {
  readonly enteredValues: Args;
  readonly initialValues: Args;
  readonly variousParams: readonly string[];
  /** Invalid text as typed, keyed by param. */
  readonly invalidTexts: Readonly<Record<string, string>>;
  /** The problems by param, with `''` for those of the whole form. */
  readonly problems: Readonly<Record<string, Message | undefined>>;
}

export function draftOf(
  enteredValues: Args,
  { values, various: variousParams = [] }: Initial,
  invalidTexts: FormDraft['invalidTexts'] = {},
): FormDraft {
  return { enteredValues, initialValues: values, variousParams, invalidTexts, problems: {} };
}

/** Adds the problems of values that the form opens with, because the user has already typed them. */
export function withProblems(command: Command, draft: FormDraft, context: Context): FormDraft {
  const invalidValues = Object.entries(draft.enteredValues).map(([name, value]) => {
    const param = command.params[name];
    return [name, param && value !== undefined ? checkValue(param, value, context) : undefined] as const;
  });
  const invalidTexts = Object.entries(draft.invalidTexts).map(([name, text]) => {
    const param = command.params[name];
    const parsed = param && parseValue(param, text);
    return [name, parsed && 'problem' in parsed ? parsed.problem : undefined] as const;
  });
  return { ...draft, problems: Object.fromEntries([...invalidValues, ...invalidTexts]) };
}

/** Returns the value a field shows. Invalid text takes the place of the initial value, unless it is part of a list. */
export function currentValue(
  { enteredValues, initialValues, invalidTexts }: FormDraft,
  name: string,
): ArgValue | undefined {
  if (name in enteredValues) return enteredValues[name];
  return name in invalidTexts && !Array.isArray(initialValues[name]) ? undefined : initialValues[name];
}

export function isVarious({ enteredValues, variousParams }: FormDraft, name: string): boolean {
  return variousParams.includes(name) && enteredValues[name] === undefined;
}

/** Enters a value, or invalid text with its problem. */
export function enterValue(
  draft: FormDraft,
  name: string,
  value: ArgValue | undefined,
  problem?: Message,
  text?: string,
): FormDraft {
  const { [name]: _previous, ...typed } = draft.invalidTexts;
  return {
    ...draft,
    enteredValues: { ...draft.enteredValues, [name]: value },
    invalidTexts: problem && text !== undefined ? { ...typed, [name]: text } : typed,
    problems: { ...draft.problems, [name]: problem, '': undefined },
  };
}

/**
 * Returns the arguments to run with: the required ones, and those that differ from the current values. An untouched
 * 'Various' is left unchanged.
 */
export function argsOf(command: Command, draft: FormDraft): Args {
  const names = Object.keys(command.params).filter((name) => {
    const value = currentValue(draft, name);
    if (value === undefined) return false;
    return (
      command.params[name]?.required ||
      (name in draft.enteredValues && JSON.stringify(value) !== JSON.stringify(draft.initialValues[name]))
    );
  });
  return Object.fromEntries(names.map((name) => [name, currentValue(draft, name)]));
}

/** Returns the problems of the entered values, keyed by param. */
export function problemsOf(command: Command, draft: FormDraft, context: Context): FormDraft['problems'] {
  const args = argsOf(command, draft);
  const missingProblems = missingParams(command, args).map(
    (name) => [name, missingMessage(command.params[name])] as const,
  );
  const invalidValues = Object.entries(args).flatMap(([name, value]) => {
    const param = command.params[name];
    const message = param && value !== undefined && checkValue(param, value, context);
    return message ? [[name, message] as const] : [];
  });
  const typedProblems = Object.entries(draft.problems).filter(
    ([name, message]) => name !== '' && message !== undefined,
  );
  return Object.fromEntries([...missingProblems, ...invalidValues, ...typedProblems]);
}

/** Assigns a refusal to its field, or to the whole form if it names no param of the command. */
export function refusalProblems(command: Command, error: unknown): FormDraft['problems'] {
  const name =
    error instanceof CommandError && error.param !== undefined && error.param in command.params ? error.param : '';
  return { [name]: lookupFailure(error) };
}
