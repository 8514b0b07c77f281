import { useRef, useState, type FormEvent } from 'react';

import type { Message } from '#commands/text/message.ts';

import { problemOf, type Problem } from './problems.ts';

export type Errors<Values> = { readonly [Name in keyof Values]?: Message | undefined };

interface FormSpec<Values> {
  readonly initial: Values;
  /** Returns a message for each invalid field. */
  readonly check: (values: Values) => Errors<Values>;
  /** Resolves when the user has left the screen. The form shows errors and keeps the input. */
  readonly submit: (values: Values) => Promise<void>;
  /** The message for an error without a specific message. */
  readonly fallback: Message;
  /** Replaces the usual message of an error. Undefined shows nothing, as for a required second factor (spec 8). */
  readonly explain?: (error: unknown) => Problem | undefined;
}

export interface Form<Values> {
  readonly values: Values;
  readonly errors: Errors<Values>;
  /** An error that concerns the form as a whole. */
  readonly problem: Message | undefined;
  readonly isBusy: boolean;
  /** Number of failed submits. Each failed submit focuses the first invalid field. */
  readonly failedSubmits: number;
  change<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  onSubmit(event: FormEvent): void;
  /** Submits the given values immediately, for example when the last digit of a code is typed. */
  send(values: Values): void;
}

/**
 * Manages the state of a sign-in form. Validates the input, submits it only once at a time, keeps it if the submit
 * fails, and shows the error next to its field or for the whole form.
 */
export function useForm<Values extends object>({
  initial,
  check,
  submit,
  fallback,
  explain = (error) => problemOf(error, fallback),
}: FormSpec<Values>): Form<Values> {
  const isSending = useRef(false);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<Values>>({});
  const [problem, setProblem] = useState<Message>();
  const [isBusy, setBusy] = useState(false);
  const [failedSubmits, setFailedSubmits] = useState(0);

  const fail = (error: unknown): void => {
    const explanation = explain(error);
    setFailedSubmits((count) => count + 1);
    if (explanation?.field !== undefined && explanation.field in initial) {
      setErrors({ [explanation.field]: explanation.message } as Errors<Values>);
    } else setProblem(explanation?.message);
  };

  const send = (input: Values): void => {
    if (isSending.current) return;
    setProblem(undefined);
    const newErrors = check(input);
    setErrors(newErrors);
    if (Object.values(newErrors).some(Boolean)) {
      setFailedSubmits((count) => count + 1);
      return;
    }
    isSending.current = true;
    setBusy(true);
    submit(input)
      .catch(fail)
      .finally(() => {
        isSending.current = false;
        setBusy(false);
      });
  };

  return {
    values,
    errors,
    problem,
    isBusy,
    failedSubmits,
    change: (name, value) => {
      setValues((current) => ({ ...current, [name]: value }));
      setErrors((current) => (current[name] ? { ...current, [name]: undefined } : current));
    },
    onSubmit: (event) => {
      event.preventDefault();
      send(values);
    },
    send,
  };
}
