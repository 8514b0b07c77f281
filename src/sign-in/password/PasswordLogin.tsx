import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { signedOutReasonAtom, signInWithPassword } from '#src/auth/session.ts';
import { email, required } from '#src/sign-in/form/checks.ts';
import { GoogleSignIn } from './GoogleSignIn.tsx';
import { Heading } from '#src/sign-in/frame/Heading.tsx';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { OutboxHint } from '#src/sign-in/frame/OutboxHint.tsx';
import { PasswordField } from '#src/sign-in/form/PasswordField.tsx';
import { TextField } from '#src/sign-in/form/TextField.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useForm } from '#src/sign-in/form/use-form.ts';
import { useSignIn } from '#src/sign-in/frame/use-onward.ts';
import { useServerInfo } from '#src/sign-in/frame/use-server-info.ts';
import { Way, Ways } from '#src/sign-in/frame/Ways.tsx';

/** With email and password, or with a Google account: whichever of them the installation permits. */
function SignIn() {
  const permitted = useServerInfo()?.signIn;
  const byToken = permitted?.token !== false;
  return permitted?.password === false ? (
    <GoogleOnly byToken={byToken} />
  ) : (
    <PasswordLogin byToken={byToken} byGoogle={permitted?.google === true} />
  );
}

function GoogleOnly({ byToken }: { readonly byToken: boolean }) {
  const text = useText();
  return (
    <section aria-label={text('signIn.title')} className="flex flex-col gap-3.5">
      <Heading title={text('signIn.title')}>
        <Ended />
      </Heading>
      <GoogleSignIn only />
      {byToken && (
        <Ways>
          <Way to="/login/token">{text('ways.token')}</Way>
        </Ways>
      )}
    </section>
  );
}

interface PasswordLoginProps {
  readonly byToken: boolean;
  readonly byGoogle: boolean;
}

function PasswordLogin({ byToken, byGoogle }: PasswordLoginProps) {
  const text = useText();
  const enter = useSignIn();
  const form = useForm({
    initial: { email: '', password: '' },
    // A password may be of spaces only.
    check: (values) => ({ email: email(values.email), password: values.password ? undefined : required('') }),
    submit: (values) => enter(() => signInWithPassword(values.email.trim(), values.password)),
    otherwise: pageMessage('failed'),
  });
  return (
    <LoginForm
      form={form}
      title={text('signIn.title')}
      intro={<Ended />}
      submit={text('signIn.submit')}
      busy={text('signIn.busy')}
      footer={
        <>
          {byGoogle && (
            <>
              <Or />
              <GoogleSignIn />
            </>
          )}
          <Ways>
            <Way to="/login/create">{text('ways.create')}</Way>
            <Way to="/login/forgot-password">{text('ways.forgot')}</Way>
            {byToken && <Way to="/login/token">{text('ways.token')}</Way>}
          </Ways>
          <OutboxHint />
        </>
      }
    >
      <TextField form={form} name="email" label={text('email')} type="email" autoComplete="username" autoFocus />
      <PasswordField form={form} name="password" label={text('password')} autoComplete="current-password" />
    </LoginForm>
  );
}

/** Why the server ended the session, if it did. */
function Ended() {
  const reason = useAtomValue(signedOutReasonAtom);
  return reason && <p role="status">{reason}</p>;
}

function Or() {
  const text = useText();
  return (
    <div aria-hidden className="flex items-center gap-3 text-label text-ink-3">
      <span className="h-px flex-1 bg-line" />
      {text('or')}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

export const lazyPasswordLogin = createLazyRoute('/login/')({ component: SignIn });
