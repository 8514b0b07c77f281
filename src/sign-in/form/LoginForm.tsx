import { useEffect, useRef, type ReactNode } from 'react';

import { Heading } from '#src/sign-in/frame/Heading.tsx';
import { Button } from '#src/ui/Button.tsx';

import { ProblemText } from './ProblemText.tsx';
import type { Form } from './use-form.ts';

interface LoginFormProps<Values> {
  readonly form: Form<Values>;
  readonly title: string;
  readonly intro?: ReactNode;
  /** Text of the submit button. */
  readonly submitLabel: string;
  /** Text of the submit button while submitting. */
  readonly busyLabel: string;
  /** The fields. */
  readonly children: ReactNode;
  /** Links to alternatives. */
  readonly footer?: ReactNode;
}

/** A form on a sign-in screen. Submits on Enter, shows errors, and focuses the first invalid field. */
export function LoginForm<Values>({
  form,
  title,
  intro,
  submitLabel,
  busyLabel,
  children,
  footer,
}: LoginFormProps<Values>) {
  const ref = useRef<HTMLFormElement>(null);
  const { failedSubmits } = form;
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [failedSubmits]);
  return (
    <form ref={ref} noValidate aria-label={title} onSubmit={form.onSubmit} className="flex flex-col gap-3.5">
      <Heading title={title}>{intro}</Heading>
      {children}
      <ProblemText problem={form.problem} />
      <Button
        type="submit"
        tone="primary"
        className="mt-1 h-8"
        // With `disabled`, the button would lose focus.
        {...(form.isBusy ? { disabledReason: busyLabel } : {})}
      >
        {form.isBusy ? busyLabel : submitLabel}
      </Button>
      {footer}
    </form>
  );
}
