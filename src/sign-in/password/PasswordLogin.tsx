import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { signedOutReasonAtom, signInWithPassword } from '#src/auth/session.ts';
import { email, required } from '#src/sign-in/form/checks.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { PasswordField } from '#src/sign-in/form/PasswordField.tsx';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { TextField } from '#src/sign-in/form/TextField.tsx';
import { Heading } from '#src/sign-in/frame/Heading.tsx';
import { OutboxHint } from '#src/sign-in/frame/OutboxHint.tsx';
import { ScreenLink, ScreenLinks } from '#src/sign-in/frame/ScreenLinks.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useSignIn } from '#src/sign-in/frame/use-continue.ts';
import { useServerInfo } from '#src/sign-in/frame/use-server-info.ts';
import { useForm } from '#src/ui/fields/use-form.ts';

import { GoogleSignIn } from './GoogleSignIn.tsx';

/** Signs in with an email address and a password, or with a Google account, if the installation permits them. */
function SignIn() {
  const methods = useServerInfo()?.signIn;
  const allowToken = methods?.token !== false;
  return methods?.password === false ? (
    <GoogleOnly allowToken={allowToken} />
  ) : (
    <PasswordLogin allowToken={allowToken} allowGoogle={methods?.google === true} />
  );
}

function GoogleOnly({ allowToken }: { readonly allowToken: boolean }) {
  const t = useText();
  return (
    <section aria-label={t('signIn.title')} className="flex flex-col gap-3.5">
      <Heading title={t('signIn.title')}>
        <SignedOutReason />
      </Heading>
      <GoogleSignIn isOnlyAction />
      {allowToken && (
        <ScreenLinks>
          <ScreenLink to="/login/token">{t('links.token')}</ScreenLink>
        </ScreenLinks>
      )}
    </section>
  );
}

interface PasswordLoginProps {
  readonly allowToken: boolean;
  readonly allowGoogle: boolean;
}

function PasswordLogin({ allowToken, allowGoogle }: PasswordLoginProps) {
  const t = useText();
  const completeSignIn = useSignIn();
  const form = useForm({
    initial: { email: '', password: '' },
    // A password can consist only of spaces.
    check: (values) => ({ email: email(values.email), password: values.password ? undefined : required('') }),
    submit: (values) => completeSignIn(() => signInWithPassword(values.email.trim(), values.password)),
    explain: (error) => problemOf(error, pageMessage('failed')),
  });
  return (
    <LoginForm
      form={form}
      title={t('signIn.title')}
      intro={<SignedOutReason />}
      submitLabel={t('signIn.submit')}
      busyLabel={t('signIn.busy')}
      footer={
        <>
          {allowGoogle && (
            <>
              <OrDivider />
              <GoogleSignIn />
            </>
          )}
          <ScreenLinks>
            <ScreenLink to="/login/create">{t('links.create')}</ScreenLink>
            <ScreenLink to="/login/forgot-password">{t('links.forgot')}</ScreenLink>
            {allowToken && <ScreenLink to="/login/token">{t('links.token')}</ScreenLink>}
          </ScreenLinks>
          <OutboxHint />
        </>
      }
    >
      <TextField form={form} name="email" label={t('email')} type="email" autoComplete="username" autoFocus />
      <PasswordField form={form} name="password" label={t('password')} autoComplete="current-password" />
    </LoginForm>
  );
}

/** Shows the reason why the server ended the session, if it did. */
function SignedOutReason() {
  const reason = useAtomValue(signedOutReasonAtom);
  return reason && <p role="status">{reason}</p>;
}

function OrDivider() {
  const t = useText();
  return (
    <div aria-hidden className="flex items-center gap-3 text-label text-ink-3">
      <span className="h-px flex-1 bg-line" />
      {t('or')}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

export const lazyPasswordLogin = createLazyRoute('/login/')({ component: SignIn });
