import { useMemo } from 'react';

import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Message } from '#commands/text/message.ts';
import { useForm, WHOLE_FORM, type Errors, type Form } from '#src/ui/fields/use-form.ts';

import { argsOf, problemsOf, refusalOf, type Entries, type FormDraft, type Input } from './draft.ts';

interface ParamFormSpec {
  readonly command: Command;
  readonly context: Context;
  readonly start: FormDraft;
  /** True if a param has a field. By default, all have. The form as a whole shows what concerns the others. */
  readonly hasField?: (name: string) => boolean;
  /** Returns a problem of the form as a whole, if its fields have none. */
  readonly checkArgs?: (args: Args) => Message | undefined;
  readonly submit?: (args: Args) => Promise<void>;
  /** Receives the errors of each failed submit. */
  readonly onFailure?: (errors: Errors) => void;
  /** Receives the input after each change, and the arguments to run with. */
  readonly onInput?: (input: Input, args: Args) => void;
}

/** A form with a field for each param of a command. */
export interface ParamForm extends Form<Entries> {
  readonly command: Command;
  readonly context: Context;
  readonly draft: FormDraft;
  /** The arguments to run with. */
  readonly args: Args;
  /** Enters a value, or the problem with what was typed, and the text itself. */
  enter(name: string, value: ArgValue | undefined, problem?: Message, text?: string): void;
}

/** Manages the state of the fields for a command's params. */
export function useParamForm({
  command,
  context,
  start,
  hasField = () => true,
  checkArgs,
  submit = async () => undefined,
  onFailure,
  onInput,
}: ParamFormSpec): ParamForm {
  const form: Form<Entries> = useForm<Entries>({
    initial: start.initial,
    start,
    check: (values) => {
      const args = argsFor(values);
      const problems = problemsOf(command, values, args, context);
      return Object.keys(problems).length > 0 ? problems : { [WHOLE_FORM]: checkArgs?.(args) };
    },
    submit: (values) => submit(argsFor(values)),
    explain: (error) => {
      const { field, message } = refusalOf(error);
      return field !== undefined && hasField(field) ? { field, message } : { message };
    },
    ...(onFailure ? { onFailure } : {}),
  });
  const argsFor = (values: Entries): Args => argsOf(command, values, (name) => form.isDirty(`${name}.value`));
  const { initial, values, entered, errors } = form;
  const draft = useMemo(
    () => ({ initial, values, entered, errors, various: start.various }),
    [initial, values, entered, errors, start.various],
  );
  return {
    ...form,
    command,
    context,
    draft,
    args: argsFor(values),
    enter: (name, value, problem, text) => {
      form.change(name, problem ? { value, text, problem } : { value });
      form.clearError(WHOLE_FORM);
      const input = form.read();
      onInput?.(input, argsFor(input.values));
    },
  };
}
