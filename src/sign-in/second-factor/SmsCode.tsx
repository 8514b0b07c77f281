import type { ReactNode } from 'react';

import { Button } from '#src/ui/Button.tsx';
import { CodeField } from '#src/sign-in/form/CodeField.tsx';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { OutboxHint } from '#src/sign-in/frame/OutboxHint.tsx';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useAttempt } from '#src/sign-in/form/use-attempt.ts';
import { useCodeForm } from '#src/sign-in/form/use-code-form.ts';
import { useCountdown } from '#src/sign-in/form/use-countdown.ts';

/** A message may be on its way for a while: another one is not offered sooner, in seconds. */
const RESEND_S = 30;

interface SmsCodeProps {
  readonly title: string;
  /** The phone, as the person knows it. */
  readonly to: string;
  readonly send: () => Promise<void>;
  readonly take: (code: string) => Promise<void>;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
}

/** Takes the code that was sent to a phone, and sends another one. */
export function SmsCode({ title, to, send, take, children, footer }: SmsCodeProps) {
  const text = useText();
  const form = useCodeForm(take, pageMessage('factor.failed'));
  const [left, wait] = useCountdown(RESEND_S);
  const { problem, attempt } = useAttempt(pageMessage('sms.failed'));
  const again = (): void => {
    wait();
    void attempt(send);
  };

  return (
    <LoginForm
      form={form}
      title={title}
      intro={text('sms.sent', { to })}
      submit={text('factor.submit')}
      busy={text('factor.busy')}
      footer={
        <>
          <Button
            className="h-8"
            onClick={again}
            {...(left > 0 ? { disabledReason: text('sms.wait', { count: left }) } : {})}
          >
            {left > 0 ? text('sms.wait', { count: left }) : text('sms.again')}
          </Button>
          <ProblemText problem={problem} />
          <OutboxHint />
          {footer}
        </>
      }
    >
      {children}
      <CodeField form={form} label={text('sms.code')} />
    </LoginForm>
  );
}
