import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { signedOutReasonAtom, signInWithPassword } from '../../auth/session.ts';
import { email, required } from './checks.ts';
import { GoogleSignIn } from './GoogleSignIn.tsx';
import { LoginForm } from './LoginForm.tsx';
import { OutboxHint } from './OutboxHint.tsx';
import { PasswordField } from './PasswordField.tsx';
import { TextField } from './TextField.tsx';
import { said, useText } from './texts.ts';
import { useForm } from './use-form.ts';
import { useSignIn } from './use-onward.ts';
import { useServerInfo } from './use-server-info.ts';
import { Way, Ways } from './Ways.tsx';

function PasswordLogin() {
  const text = useText();
  const info = useServerInfo();
  const reason = useAtomValue(signedOutReasonAtom);
  const enter = useSignIn();
  const form = useForm({
    initial: { email: '', password: '' },
    check: (values) => ({ email: email(values.email), password: values.password ? undefined : required('') }),
    submit: (values) => enter(() => signInWithPassword(values.email.trim(), values.password)),
    otherwise: said('failed'),
  });
  return (
    <LoginForm
      form={form}
      title={text('signIn.title')}
      intro={reason}
      submit={text('signIn.submit')}
      busy={text('signIn.busy')}
      footer={
        <>
          {info?.signIn.google && <GoogleSignIn />}
          <Ways>
            <Way to="/login/create">{text('ways.create')}</Way>
            <Way to="/login/forgot-password">{text('ways.forgot')}</Way>
            {info?.signIn.token !== false && <Way to="/login/token">{text('ways.token')}</Way>}
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

export const lazyPasswordLogin = createLazyRoute('/login/')({ component: PasswordLogin });
