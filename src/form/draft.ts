import type { Command, Initial } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { parseValue } from '#commands/line/line.ts';
import type { Message } from '#commands/text/message.ts';
import { missingMessage } from '#commands/model/params.ts';
import { missingParams } from '#commands/run/resolve.ts';
import { checkValue } from '#commands/run/values.ts';

import { lookupFailure } from '#src/data/failure.ts';

/** A form while it is filled in: what was entered, and what its items have. */
export interface FormDraft {
  readonly entered: Args;
  readonly initial: Args;
  readonly various: readonly string[];
  /** Texts that were typed elsewhere and could not be read, by param. */
  readonly typed: Readonly<Record<string, string>>;
  /** By param; under `''` what is about the whole of it. */
  readonly problems: Readonly<Record<string, Message | undefined>>;
}

export function draftOf(given: Args, { values, various = [] }: Initial, typed: FormDraft['typed'] = {}): FormDraft {
  return { entered: given, initial: values, various, typed, problems: {} };
}

/** What is wrong with what a form begins with, said at once: somebody typed it already. */
export function withProblems(command: Command, draft: FormDraft, context: Context): FormDraft {
  const wrong = Object.entries(draft.entered).map(([name, value]) => {
    const param = command.params[name];
    return [name, param && value !== undefined ? checkValue(param, value, context) : undefined] as const;
  });
  const unread = Object.entries(draft.typed).map(([name, text]) => {
    const param = command.params[name];
    const read = param && parseValue(param, text);
    return [name, read && 'problem' in read ? read.problem : undefined] as const;
  });
  return { ...draft, problems: Object.fromEntries([...wrong, ...unread]) };
}

/** The value a field shows. */
export function shownValue({ entered, initial }: FormDraft, name: string): ArgValue | undefined {
  return name in entered ? entered[name] : initial[name];
}

export function isVarious({ entered, various }: FormDraft, name: string): boolean {
  return various.includes(name) && entered[name] === undefined;
}

export function enter(draft: FormDraft, name: string, value: ArgValue | undefined, problem?: Message): FormDraft {
  return {
    ...draft,
    entered: { ...draft.entered, [name]: value },
    problems: { ...draft.problems, [name]: problem, '': undefined },
  };
}

/**
 * What is run: of an editor only what was changed, and what the command asks for in any case. An untouched 'Various'
 * stays as it is.
 */
export function argsOf(command: Command, draft: FormDraft): Args {
  const names = Object.keys(command.params).filter((name) => {
    const value = shownValue(draft, name);
    if (value === undefined) return false;
    return (
      command.params[name]?.required ||
      (name in draft.entered && JSON.stringify(value) !== JSON.stringify(draft.initial[name]))
    );
  });
  return Object.fromEntries(names.map((name) => [name, shownValue(draft, name)]));
}

/** What is wrong with what was entered, by param. */
export function problemsOf(command: Command, draft: FormDraft, context: Context): FormDraft['problems'] {
  const args = argsOf(command, draft);
  const missing = missingParams(command, args).map((name) => [name, missingMessage(command.params[name])] as const);
  const wrong = Object.entries(args).flatMap(([name, value]) => {
    const param = command.params[name];
    const message = param && value !== undefined && checkValue(param, value, context);
    return message ? [[name, message] as const] : [];
  });
  const typed = Object.entries(draft.problems).filter(([name, message]) => name !== '' && message !== undefined);
  return Object.fromEntries([...missing, ...wrong, ...typed]);
}

/** A refusal beside the field it is about; about the whole form where it names none that the form has. */
export function refusal(command: Command, error: unknown): FormDraft['problems'] {
  const name =
    error instanceof CommandError && error.param !== undefined && error.param in command.params ? error.param : '';
  return { [name]: lookupFailure(error) };
}
