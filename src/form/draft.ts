import { parseValue } from '#commands/line/line.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Command, InitialValues } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import { missingMessage } from '#commands/model/params.ts';
import { missingParams } from '#commands/run/resolve.ts';
import { checkValue } from '#commands/run/values.ts';
import type { Message } from '#commands/text/message.ts';
import { lookupFailure } from '#src/data/failure.ts';
import type { Errors, Problem } from '#src/ui/fields/use-form.ts';

// Maps the params of a command to the fields of a form, and the fields to the arguments of the command.

/** What the field of a param contains. */
export interface Entry {
  readonly value?: ArgValue | undefined;
  /** Invalid text as typed. */
  readonly text?: string | undefined;
  /** The problem with what was typed or chosen. */
  readonly problem?: Message | undefined;
}

/** The entries by param. */
export type Entries = Readonly<Record<string, Entry>>;

/** What a form starts with, and what is stored to restore it. */
export interface FormDraft {
  /** The current values of the items. */
  readonly initial: Entries;
  readonly values: Entries;
  /** The params that the invocation or the user has entered. */
  readonly entered: readonly string[];
  readonly errors: Errors;
  /** The params in which the items differ. */
  readonly various: readonly string[];
  /** The organization of each item, if its entity says so. */
  readonly owners?: readonly ItemOwner[];
}

export interface ItemOwner {
  readonly item: string;
  readonly label: string;
  readonly id: string;
  readonly name: string | Message;
}

/** The params of the form that were entered, and what its fields contain. */
export type Input = Pick<FormDraft, 'values' | 'entered'>;

/**
 * Starts a draft with the values of an invocation and the current values of its items. It includes the problems of the
 * values and texts of the invocation, because the user has already typed them.
 */
export function draftOf(
  command: Command,
  args: Args,
  { values, various = [] }: InitialValues,
  texts: Readonly<Record<string, string>>,
  context: Context,
): FormDraft {
  const names = [...new Set([...Object.keys(command.params), ...Object.keys(args)])];
  const startEntry = (name: string): Entry => {
    const text = texts[name];
    const value = name in args ? args[name] : shownValue(values[name], text);
    if (text === undefined) return { value };
    const parsed = command.params[name] && parseValue(command.params[name], text);
    return { value, text, problem: parsed && 'problem' in parsed ? parsed.problem : undefined };
  };
  return {
    initial: Object.fromEntries(names.map((name) => [name, { value: values[name] }])),
    values: Object.fromEntries(names.map((name) => [name, startEntry(name)])),
    entered: Object.keys(args),
    errors: valueProblems(command, args, context),
    various,
  };
}

/** Returns the value next to the text. The text takes the place of the initial value, unless it is part of a list. */
function shownValue(initialValue: ArgValue | undefined, text: string | undefined): ArgValue | undefined {
  return text === undefined || Array.isArray(initialValue) ? initialValue : undefined;
}

/** True if the field shows 'Various'. */
export function isVarious({ various, entered, values }: FormDraft, name: string): boolean {
  return various.includes(name) && !(entered.includes(name) && values[name]?.value !== undefined);
}

/** Returns the entered values. An entered value is undefined if the user has cleared it. */
export function enteredArgs({ values, entered }: Input): Args {
  return Object.fromEntries(entered.map((name) => [name, values[name]?.value]));
}

/** Returns the values that the fields show. */
export function shownArgs(values: Entries): Args {
  return Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));
}

/** Returns the invalid texts as typed. */
export function typedTexts(values: Entries): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, { text }]) => (text === undefined ? [] : [[name, text]])),
  );
}

/**
 * Returns the arguments to run with: the required ones, and those that differ from the current values. An untouched
 * 'Various' is left unchanged.
 */
export function argsOf({ params }: Command, values: Entries, isChanged: (name: string) => boolean): Args {
  const names = Object.keys(params).filter(
    (name) => values[name]?.value !== undefined && (params[name]?.required || isChanged(name)),
  );
  return Object.fromEntries(names.map((name) => [name, values[name]?.value]));
}

/** Returns the problems of the fields, given the arguments to run with. */
export function problemsOf(command: Command, values: Entries, args: Args, context: Context): Errors {
  const missing = missingParams(command, args).map((name) => [name, missingMessage(command.params[name])]);
  const typed = Object.entries(values).map(([name, { problem }]) => [name, problem]);
  return {
    ...Object.fromEntries(missing),
    ...valueProblems(command, args, context),
    ...Object.fromEntries(typed.filter(([, problem]) => problem !== undefined)),
  };
}

function valueProblems({ params }: Command, args: Args, context: Context): Errors {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      const problem = params[name] && value !== undefined && checkValue(params[name], value, context);
      return problem ? [[name, problem]] : [];
    }),
  );
}

/** Assigns a refusal to the field of the param that it names. */
export function refusalOf(error: unknown): Problem {
  return { message: lookupFailure(error), field: error instanceof CommandError ? error.param : undefined };
}
