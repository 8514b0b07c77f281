import { useForm as useLibraryForm, type FormErrors } from '@mantine/form';
import { useEffect, useMemo, useRef, useState, type RefObject, type SyntheticEvent } from 'react';

import type { Message } from '#commands/text/message.ts';

/** The name of the error that concerns a form as a whole. No field has this name. */
export const WHOLE_FORM = '';

/** A message for each invalid field, and for the form as a whole. */
export type Errors<Values = Readonly<Record<string, unknown>>> = {
  readonly [Name in keyof Values]?: Message | undefined;
} & { readonly [WHOLE_FORM]?: Message | undefined };

/** The reason why a submit failed, with the affected field if there is one. */
export interface Problem {
  readonly message: Message;
  readonly field?: string | undefined;
}

/** What was entered before the form opened. */
interface FormStart<Values> {
  readonly values: Values;
  /** The names of the fields that were entered. */
  readonly entered: readonly string[];
  readonly errors: Errors<Values>;
}

interface FormSpec<Values> {
  /** The values that nobody has entered yet. Changes are relative to them. */
  readonly initial: Values;
  /** What the form starts with. Defaults to the initial values. */
  readonly start?: FormStart<Values>;
  /** Returns a message for each invalid field. */
  readonly check: (values: Values) => Errors<Values>;
  /** Resolves when the form is done, or when it waits for another submit. */
  readonly submit: (values: Values) => Promise<void>;
  /** Returns the problem to show if the submit fails. Undefined shows none. */
  readonly explain: (error: unknown) => Problem | undefined;
  /** Receives the errors of each failed submit. */
  readonly onFailure?: (errors: Errors<Values>) => void;
}

export interface Form<Values> {
  readonly values: Values;
  readonly initial: Values;
  readonly errors: Errors<Values>;
  /** The names of the fields that were entered, in that order, even if their values are the initial ones again. */
  readonly entered: readonly string[];
  readonly isBusy: boolean;
  /** Receives the `form` element. */
  readonly element: RefObject<HTMLFormElement | null>;
  /** Returns the values and the entered names, including changes that are not rendered yet. */
  read(): Pick<FormStart<Values>, 'values' | 'entered'>;
  /** True if the value at the path, such as `name` or `name.value`, differs from the initial one. */
  isDirty(path: string): boolean;
  /** Changes a value, and clears the error of its field. */
  change<Name extends keyof Values & string>(name: Name, value: Values[Name]): void;
  clearError(name: (keyof Values & string) | typeof WHOLE_FORM): void;
  /** Replaces the initial values, and returns to them. */
  restart(initial: Values): void;
  /** Checks the values and submits them, including changes that are not rendered yet. */
  submit(event?: SyntheticEvent<HTMLFormElement>): void;
}

/**
 * Manages the state of a form. Checks the values, submits them only once at a time, keeps them if the submit fails, and
 * focuses the first invalid field.
 *
 * The library keeps the values, what was entered and changed, and the errors. It declares errors as React nodes, but
 * only stores them. We store messages instead, so an error on the screen follows a change of the language. The casts
 * between the two are only in this function.
 */
export function useForm<Values extends object>({
  initial,
  start = { values: initial, entered: [], errors: {} },
  check,
  submit,
  explain,
  onFailure,
}: FormSpec<Values>): Form<Values> {
  const form = useLibraryForm<Record<string, unknown>>({
    initialValues: start.values as Record<string, unknown>,
    initialErrors: start.errors as FormErrors,
    initialTouched: Object.fromEntries(start.entered.map((name) => [name, true])),
    validate: (values) => check(values as Values) as FormErrors,
  });
  // The library takes the values to start with as the initial ones. Corrects them before the first render compares.
  useState(() => form.setInitialValues(initial as Record<string, unknown>));
  const element = useRef<HTMLFormElement>(null);
  const isSubmitting = useRef(false);
  const [failureCount, setFailureCount] = useState(0);
  const touched = form.getTouched();
  const entered = useMemo(() => Object.keys(touched), [touched]);

  /** Reads the empty fields that a password manager filled in without an event. A render would empty them again. */
  const readFilled = (): void => {
    const values = form.getValues();
    for (const { name, value } of element.current?.querySelectorAll('input') ?? [])
      if (value !== '' && values[name] === '') form.setFieldValue(name, value);
  };

  const fail = (errors: Errors<Values>): void => {
    setFailureCount((count) => count + 1);
    onFailure?.(errors);
  };

  const refuse = (error: unknown): void => {
    const problem = explain(error);
    const { field = WHOLE_FORM } = problem ?? {};
    const errors = { [Object.hasOwn(initial, field) ? field : WHOLE_FORM]: problem?.message } as Errors<Values>;
    form.setErrors(errors as FormErrors);
    fail(errors);
  };

  // Focuses the first invalid field once it is rendered.
  useEffect(() => {
    if (failureCount > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failureCount]);

  const run = async (values: Values): Promise<void> => {
    isSubmitting.current = true;
    try {
      await submit(values);
    } catch (error) {
      refuse(error);
    } finally {
      isSubmitting.current = false;
    }
  };

  return {
    values: form.values as Values,
    initial: form.getInitialValues() as Values,
    errors: form.errors as Errors<Values>,
    entered,
    isBusy: form.submitting,
    element,
    read: () => ({ values: form.getValues() as Values, entered: Object.keys(form.getTouched()) }),
    isDirty: form.isDirty,
    change: (name: string, value) => {
      readFilled();
      form.setFieldValue(name, value);
    },
    clearError: form.clearFieldError,
    restart: (values) => {
      form.setInitialValues(values as Record<string, unknown>);
      form.reset();
    },
    submit: (event) => {
      event?.preventDefault();
      if (isSubmitting.current) return;
      readFilled();
      form.onSubmit(
        (values) => run(values as Values),
        (errors) => fail(errors as Errors<Values>),
      )();
    },
  };
}
