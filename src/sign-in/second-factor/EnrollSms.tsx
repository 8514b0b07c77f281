import { useRef, useState } from 'react';

import { finishSms, startSms } from '#src/auth/second-factor.ts';
import { compact, phone } from '#src/sign-in/form/checks.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { TextField } from '#src/sign-in/form/TextField.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { Button } from '#src/ui/Button.tsx';
import { useForm } from '#src/ui/fields/use-form.ts';

import { SmsCode } from './SmsCode.tsx';

/** Adds a phone and verifies it with a code in a text message. */
export function EnrollSms({ back }: { readonly back: () => void }) {
  const t = useText();
  const captchaHost = useRef<HTMLDivElement>(null);
  const [verificationId, setVerificationId] = useState<string>();
  const send = async (number: string): Promise<void> =>
    setVerificationId(await startSms(compact(number), captchaHost.current!));
  const form = useForm({
    initial: { phone: '' },
    check: (values) => ({ phone: phone(values.phone) }),
    submit: (values) => send(values.phone),
    explain: (error) => problemOf(error, pageMessage('sms.failed')),
  });
  const backButton = (
    <Button tone="quiet" className="h-8" onClick={back}>
      {t('back')}
    </Button>
  );
  const number = form.values.phone.trim();
  return (
    <>
      {verificationId === undefined ? (
        <LoginForm
          form={form}
          title={t('enroll.smsTitle')}
          intro={t('enroll.smsIntro')}
          submitLabel={t('sms.send')}
          busyLabel={t('sms.sending')}
          footer={backButton}
        >
          <TextField
            form={form}
            name="phone"
            label={t('enroll.phone')}
            hint={t('enroll.phoneHint')}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            autoFocus
          />
        </LoginForm>
      ) : (
        <SmsCode
          title={t('enroll.smsTitle')}
          phone={number}
          send={() => send(number)}
          onCode={async (code) => {
            await finishSms(verificationId, code, number);
            back();
          }}
          footer={backButton}
        />
      )}
      <div ref={captchaHost} />
    </>
  );
}
