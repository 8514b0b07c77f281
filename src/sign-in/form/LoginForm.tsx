import { useEffect, useRef, type ReactNode } from 'react';

import { Button } from '#src/ui/Button.tsx';
import { Heading } from '#src/sign-in/frame/Heading.tsx';
import { ProblemText } from './ProblemText.tsx';
import type { Form } from './use-form.ts';

interface LoginFormProps<Values> {
  readonly form: Form<Values>;
  readonly title: string;
  readonly intro?: ReactNode;
  /** On the button that sends it, and while it is being sent. */
  readonly submit: string;
  readonly busy: string;
  /** The fields. */
  readonly children: ReactNode;
  /** Other ways on. */
  readonly footer?: ReactNode;
}

/** A form before the console: it submits on Enter, says what failed and moves the focus to the first field in error. */
export function LoginForm<Values>({ form, title, intro, submit, busy, children, footer }: LoginFormProps<Values>) {
  const ref = useRef<HTMLFormElement>(null);
  const { refusals } = form;
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [refusals]);
  return (
    <form ref={ref} noValidate aria-label={title} onSubmit={form.onSubmit} className="flex flex-col gap-3.5">
      <Heading title={title}>{intro}</Heading>
      {children}
      <ProblemText problem={form.problem} />
      <Button
        type="submit"
        tone="primary"
        className="mt-1 h-8"
        // Not `disabled`, which would drop the focus.
        {...(form.busy ? { disabledReason: busy } : {})}
      >
        {form.busy ? busy : submit}
      </Button>
      {footer}
    </form>
  );
}
