import { useRef, useState } from 'react';

import { sendSmsCode, solveSms } from '#src/auth/second-factor.ts';
import type { ChallengeProps } from './challenge.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { SmsCode } from './SmsCode.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { ToSignIn } from '#src/sign-in/frame/ToSignIn.tsx';
import { useForm } from '#src/sign-in/form/use-form.ts';

/** Sends a code to the phone, and takes it. */
export function SmsChallenge({ factor, solved, children }: ChallengeProps) {
  const text = useText();
  const proof = useRef<HTMLDivElement>(null);
  const [sent, setSent] = useState<string>();
  const send = async (): Promise<void> => setSent(await sendSmsCode(factor.id, proof.current!));
  const form = useForm({ initial: {}, check: () => ({}), submit: send, otherwise: pageMessage('sms.failed') });
  return (
    <>
      {sent === undefined ? (
        <LoginForm
          form={form}
          title={text('factor.title')}
          intro={text('factor.introSms', { label: factor.label })}
          submit={text('sms.send')}
          busy={text('sms.sending')}
          footer={<ToSignIn />}
        >
          {children}
        </LoginForm>
      ) : (
        <SmsCode
          title={text('factor.title')}
          to={factor.label}
          send={send}
          take={async (code) => {
            await solveSms(sent, code);
            await solved();
          }}
          footer={<ToSignIn />}
        >
          {children}
        </SmsCode>
      )}
      <div ref={proof} />
    </>
  );
}
