import { useRef, useState } from 'react';

import { finishSms, startSms } from '#src/auth/second-factor.ts';
import { Button } from '#src/ui/Button.tsx';
import { compact, phone } from '#src/sign-in/form/checks.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { SmsCode } from './SmsCode.tsx';
import { TextField } from '#src/sign-in/form/TextField.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useForm } from '#src/sign-in/form/use-form.ts';

/** Adds a phone: it is sent a code, which proves it. */
export function EnrollSms({ back }: { readonly back: () => void }) {
  const text = useText();
  const proof = useRef<HTMLDivElement>(null);
  const [sent, setSent] = useState<string>();
  const send = async (number: string): Promise<void> => setSent(await startSms(compact(number), proof.current!));
  const form = useForm({
    initial: { phone: '' },
    check: (values) => ({ phone: phone(values.phone) }),
    submit: (values) => send(values.phone),
    otherwise: pageMessage('sms.failed'),
  });
  const leave = (
    <Button tone="quiet" className="h-8" onClick={back}>
      {text('back')}
    </Button>
  );
  const number = form.values.phone.trim();
  return (
    <>
      {sent === undefined ? (
        <LoginForm
          form={form}
          title={text('enroll.smsTitle')}
          intro={text('enroll.smsIntro')}
          submit={text('sms.send')}
          busy={text('sms.sending')}
          footer={leave}
        >
          <TextField
            form={form}
            name="phone"
            label={text('enroll.phone')}
            hint={text('enroll.phoneHint')}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            autoFocus
          />
        </LoginForm>
      ) : (
        <SmsCode
          title={text('enroll.smsTitle')}
          to={number}
          send={() => send(number)}
          take={async (code) => {
            await finishSms(sent, code, number);
            back();
          }}
          footer={leave}
        />
      )}
      <div ref={proof} />
    </>
  );
}
