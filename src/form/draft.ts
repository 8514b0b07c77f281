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
  readonly entered: Args;
  readonly initial: Args;
  readonly various: readonly string[];
  /** Invalid text as typed, by param. */
  readonly typed: Readonly<Record<string, string>>;
  /** The problems by param, with `''` for those of the whole form. */
  readonly problems: Readonly<Record<string, Message | undefined>>;
}

export function draftOf(entered: Args, { values, various = [] }: Initial, typed: FormDraft['typed'] = {}): FormDraft {
  return { entered, initial: values, various, typed, problems: {} };
}

/** Adds the problems of values that the form opens with, because the user has already typed them. */
export function withProblems(command: Command, draft: FormDraft, context: Context): FormDraft {
  const invalidValues = Object.entries(draft.entered).map(([name, value]) => {
    const param = command.params[name];
    return [name, param && value !== undefined ? checkValue(param, value, context) : undefined] as const;
  });
  const invalidTexts = Object.entries(draft.typed).map(([name, text]) => {
    const param = command.params[name];
    const parsed = param && parseValue(param, text);
    return [name, parsed && 'problem' in parsed ? parsed.problem : undefined] as const;
  });
  return { ...draft, problems: Object.fromEntries([...invalidValues, ...invalidTexts]) };
}

/** Returns the value a field shows. Invalid text takes the place of the initial value, unless it is part of a list. */
export function currentValue({ entered, initial, typed }: FormDraft, name: string): ArgValue | undefined {
  if (name in entered) return entered[name];
  return name in typed && !Array.isArray(initial[name]) ? undefined : initial[name];
}

export function isVarious({ entered, various }: FormDraft, name: string): boolean {
  return various.includes(name) && entered[name] === undefined;
}

/** Enters a value, or invalid text with its problem. */
export function enterValue(
  draft: FormDraft,
  name: string,
  value: ArgValue | undefined,
  problem?: Message,
  text?: string,
): FormDraft {
  const { [name]: _previous, ...typed } = draft.typed;
  return {
    ...draft,
    entered: { ...draft.entered, [name]: value },
    typed: problem && text !== undefined ? { ...typed, [name]: text } : typed,
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
      (name in draft.entered && JSON.stringify(value) !== JSON.stringify(draft.initial[name]))
    );
  });
  return Object.fromEntries(names.map((name) => [name, currentValue(draft, name)]));
}

/** Returns the problems of the entered values, by param. */
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
