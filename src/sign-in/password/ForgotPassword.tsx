import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';

import { sendPasswordReset } from '#src/auth/session.ts';
import { email } from '#src/sign-in/form/checks.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { OutboxHint } from '#src/sign-in/frame/OutboxHint.tsx';
import { TextField } from '#src/sign-in/form/TextField.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useForm } from '#src/sign-in/form/use-form.ts';
import { Way, Ways } from '#src/sign-in/frame/Ways.tsx';

/** Answers alike whether or not somebody has this address: it tells nobody who is a user here. */
function ForgotPassword() {
  const text = useText();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    initial: { email: '' },
    check: (values) => ({ email: email(values.email) }),
    submit: async (values) => {
      const address = values.email.trim();
      await sendPasswordReset(address).catch(unlessUnknown);
      setSentTo(address);
    },
    otherwise: pageMessage('forgot.failed'),
  });
  const back = (
    <Ways>
      <Way to="/login">{text('ways.signIn')}</Way>
    </Ways>
  );
  if (sentTo !== undefined) {
    return (
      <Notice title={text('forgot.sentTitle')} ways={back}>
        <p>{text('forgot.sent', { email: sentTo })}</p>
        <OutboxHint />
      </Notice>
    );
  }
  return (
    <LoginForm
      form={form}
      title={text('forgot.title')}
      intro={text('forgot.intro')}
      submit={text('forgot.submit')}
      busy={text('forgot.busy')}
      footer={back}
    >
      <TextField form={form} name="email" label={text('email')} type="email" autoComplete="username" autoFocus />
    </LoginForm>
  );
}

function unlessUnknown(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'auth/user-not-found')) throw error;
}

export const lazyForgotPassword = createLazyRoute('/login/forgot-password')({ component: ForgotPassword });
