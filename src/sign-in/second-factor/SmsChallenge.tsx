import { useRef, useState } from 'react';

import { sendSmsCode, solveSms } from '#src/auth/second-factor.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { BackToSignIn } from '#src/sign-in/frame/BackToSignIn.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useForm } from '#src/ui/fields/use-form.ts';

import type { ChallengeProps } from './challenge.ts';
import { SmsCode } from './SmsCode.tsx';

/** Sends a code to the phone and asks for it. */
export function SmsChallenge({ factor, onSolved, children }: ChallengeProps) {
  const t = useText();
  const captchaHost = useRef<HTMLDivElement>(null);
  const [verificationId, setVerificationId] = useState<string>();
  const send = async (): Promise<void> => setVerificationId(await sendSmsCode(factor.id, captchaHost.current!));
  const form = useForm({
    initial: {},
    check: () => ({}),
    submit: send,
    explain: (error) => problemOf(error, pageMessage('sms.failed')),
  });
  return (
    <>
      {verificationId === undefined ? (
        <LoginForm
          form={form}
          title={t('factor.title')}
          intro={t('factor.introSms', { label: factor.label })}
          submitLabel={t('sms.send')}
          busyLabel={t('sms.sending')}
          footer={<BackToSignIn />}
        >
          {children}
        </LoginForm>
      ) : (
        <SmsCode
          title={t('factor.title')}
          phone={factor.label}
          send={send}
          onCode={async (code) => {
            await solveSms(verificationId, code);
            await onSolved();
          }}
          footer={<BackToSignIn />}
        >
          {children}
        </SmsCode>
      )}
      <div ref={captchaHost} />
    </>
  );
}
