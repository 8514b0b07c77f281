import { useRef, useState, type FormEvent } from 'react';

import type { Message } from '#commands/text/message.ts';

import { problemOf, type Problem } from './problems.ts';

export type Errors<Values> = { readonly [Name in keyof Values]?: Message | undefined };

interface FormSpec<Values> {
  readonly initial: Values;
  /** A sentence for each field that is wrong. */
  readonly check: (values: Values) => Errors<Values>;
  /** Resolves when the person has been sent on. What it throws is said, and nothing that was typed is lost. */
  readonly submit: (values: Values) => Promise<void>;
  /** Said for an error that has no sentence of its own. */
  readonly otherwise: Message;
  /**
   * Where the usual sentence of an error would not be right. Undefined shows nothing (spec 8: multi-factor required).
   */
  readonly explain?: (error: unknown) => Problem | undefined;
}

export interface Form<Values> {
  readonly values: Values;
  readonly errors: Errors<Values>;
  /** What went wrong with the form as a whole. */
  readonly problem: Message | undefined;
  readonly busy: boolean;
  /** How often it was found wrong: with each time, the focus goes to the first field in error. */
  readonly refusals: number;
  change<Name extends keyof Values>(name: Name, value: Values[Name]): void;
  onSubmit(event: FormEvent): void;
  /** Sends these values at once, as a code does when its last digit is in. */
  send(values: Values): void;
}

/**
 * The state of one of the forms before the console: it checks, sends once, keeps what was typed when that fails, and
 * says what was wrong beside the field or for the form as a whole.
 */
export function useForm<Values extends object>({
  initial,
  check,
  submit,
  otherwise,
  explain = (error) => problemOf(error, otherwise),
}: FormSpec<Values>): Form<Values> {
  const sending = useRef(false);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<Errors<Values>>({});
  const [problem, setProblem] = useState<Message>();
  const [busy, setBusy] = useState(false);
  const [refusals, setRefusals] = useState(0);

  const fail = (error: unknown): void => {
    const found = explain(error);
    setRefusals((all) => all + 1);
    if (found?.field !== undefined && found.field in initial) {
      setErrors({ [found.field]: found.message } as Errors<Values>);
    } else setProblem(found?.message);
  };

  const send = (now: Values): void => {
    if (sending.current) return;
    setProblem(undefined);
    const wrong = check(now);
    setErrors(wrong);
    if (Object.values(wrong).some(Boolean)) {
      setRefusals((all) => all + 1);
      return;
    }
    sending.current = true;
    setBusy(true);
    submit(now)
      .catch(fail)
      .finally(() => {
        sending.current = false;
        setBusy(false);
      });
  };

  return {
    values,
    errors,
    problem,
    busy,
    refusals,
    change: (name, value) => {
      setValues((all) => ({ ...all, [name]: value }));
      setErrors((all) => (all[name] ? { ...all, [name]: undefined } : all));
    },
    onSubmit: (event) => {
      event.preventDefault();
      send(values);
    },
    send,
  };
}
