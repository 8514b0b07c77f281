import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';

import { sendPasswordReset } from '#src/auth/session.ts';
import { email } from '#src/sign-in/form/checks.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { TextField } from '#src/sign-in/form/TextField.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { OutboxHint } from '#src/sign-in/frame/OutboxHint.tsx';
import { ScreenLink, ScreenLinks } from '#src/sign-in/frame/ScreenLinks.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useForm } from '#src/ui/fields/use-form.ts';

/** Responds in the same way whether or not the address is known, to avoid revealing who has an account. */
function ForgotPassword() {
  const t = useText();
  const [sentTo, setSentTo] = useState<string>();
  const form = useForm({
    initial: { email: '' },
    check: (values) => ({ email: email(values.email) }),
    submit: async (values) => {
      const address = values.email.trim();
      await sendPasswordReset(address).catch(ignoreUnknownUser);
      setSentTo(address);
    },
    explain: (error) => problemOf(error, pageMessage('forgot.failed')),
  });
  const back = (
    <ScreenLinks>
      <ScreenLink to="/login">{t('links.signIn')}</ScreenLink>
    </ScreenLinks>
  );
  if (sentTo !== undefined) {
    return (
      <Notice title={t('forgot.sentTitle')} links={back}>
        <p>{t('forgot.sent', { email: sentTo })}</p>
        <OutboxHint />
      </Notice>
    );
  }
  return (
    <LoginForm
      form={form}
      title={t('forgot.title')}
      intro={t('forgot.intro')}
      submitLabel={t('forgot.submit')}
      busyLabel={t('forgot.busy')}
      footer={back}
    >
      <TextField form={form} name="email" label={t('email')} type="email" autoComplete="username" autoFocus />
    </LoginForm>
  );
}

function ignoreUnknownUser(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'auth/user-not-found')) throw error;
}

export const lazyForgotPassword = createLazyRoute('/login/forgot-password')({ component: ForgotPassword });
