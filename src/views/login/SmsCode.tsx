import { useState, type ReactNode } from 'react';

import type { Message } from '#commands/core/message';

import { useSay } from '../../i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from './CodeField.tsx';
import { LoginForm } from './LoginForm.tsx';
import { OutboxHint } from './OutboxHint.tsx';
import { problemOf } from './problems.ts';
import { said, useText } from './texts.ts';
import { useCodeForm } from './use-code-form.ts';
import { useCountdown } from './use-countdown.ts';

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
  const say = useSay();
  const text = useText();
  const form = useCodeForm(take, said('factor.failed'));
  const [left, wait] = useCountdown(RESEND_S);
  const [problem, setProblem] = useState<Message>();

  const again = async (): Promise<void> => {
    setProblem(undefined);
    wait();
    try {
      await send();
    } catch (error) {
      setProblem(problemOf(error, said('sms.failed'))?.said);
    }
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
            onClick={() => void again()}
            {...(left > 0 ? { disabledReason: text('sms.wait', { count: left }) } : {})}
          >
            {left > 0 ? text('sms.wait', { count: left }) : text('sms.again')}
          </Button>
          {problem && (
            <p role="alert" className="text-error-text">
              {say(problem)}
            </p>
          )}
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
