import type { ReactNode } from 'react';

import { Heading } from '#src/sign-in/frame/Heading.tsx';
import { Button } from '#src/ui/Button.tsx';
import { WHOLE_FORM, type Form } from '#src/ui/fields/use-form.ts';

import { ProblemText } from './ProblemText.tsx';

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
  const { element, submit, errors, isBusy } = form;
  return (
    <form ref={element} noValidate aria-label={title} onSubmit={submit} className="flex flex-col gap-3.5">
      <Heading title={title}>{intro}</Heading>
      {children}
      <ProblemText problem={errors[WHOLE_FORM]} />
      <Button
        type="submit"
        tone="primary"
        className="mt-1 h-8"
        // With `disabled`, the button would lose focus.
        {...(isBusy ? { disabledReason: busyLabel } : {})}
      >
        {isBusy ? busyLabel : submitLabel}
      </Button>
      {footer}
    </form>
  );
}
