import type { ReactNode } from 'react';

import { CodeField } from '#src/sign-in/form/CodeField.tsx';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { useAttempt } from '#src/sign-in/form/use-attempt.ts';
import { useCodeForm } from '#src/sign-in/form/use-code-form.ts';
import { useCountdown } from '#src/sign-in/form/use-countdown.ts';
import { OutboxHint } from '#src/sign-in/frame/OutboxHint.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { Button } from '#src/ui/Button.tsx';

/** Seconds until another code can be requested, because delivery can take a while. */
const RESEND_S = 30;

interface SmsCodeProps {
  readonly title: string;
  /** The phone number, in a form that the user recognizes. */
  readonly phone: string;
  readonly send: () => Promise<void>;
  readonly onCode: (code: string) => Promise<void>;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
}

/** Asks for the code that was sent to a phone. Can send another code. */
export function SmsCode({ title, phone, send, onCode, children, footer }: SmsCodeProps) {
  const t = useText();
  const form = useCodeForm(onCode, pageMessage('factor.failed'));
  const [remaining, restartCountdown] = useCountdown(RESEND_S);
  const { problem, attempt } = useAttempt(pageMessage('sms.failed'));
  const resend = (): void => {
    restartCountdown();
    void attempt(send);
  };

  return (
    <LoginForm
      form={form}
      title={title}
      intro={t('sms.sent', { phone })}
      submitLabel={t('factor.submit')}
      busyLabel={t('factor.busy')}
      footer={
        <>
          <Button
            className="h-8"
            onClick={resend}
            {...(remaining > 0 ? { disabledReason: t('sms.wait', { count: remaining }) } : {})}
          >
            {remaining > 0 ? t('sms.wait', { count: remaining }) : t('sms.again')}
          </Button>
          <ProblemText problem={problem} />
          <OutboxHint />
          {footer}
        </>
      }
    >
      {children}
      <CodeField form={form} label={t('sms.code')} />
    </LoginForm>
  );
}
