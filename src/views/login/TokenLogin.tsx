import { createLazyRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';

import { failureOf } from '#commands/core/errors';

import { signInWithToken } from '../../auth/session.ts';
import { checkToken } from '../../data/check-token.ts';
import { useSay, useText } from '../../i18n.ts';
import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { LoginForm } from './LoginForm.tsx';

function TokenLogin() {
  const text = useText();
  const say = useSay();
  const [token, setToken] = useState('');

  const submit = async (): Promise<void> => {
    await checkToken(token.trim());
    signInWithToken(token.trim());
  };

  return (
    <LoginForm
      title={text('login.tokenTitle')}
      submit={submit}
      explain={(error) => {
        const failure = failureOf(error);
        return failure.code === 'unauthenticated' ? text('login.invalidToken') : say(failure.message);
      }}
      footer={
        <Link to="/login" search={(previous) => previous} className="text-accent hover:underline">
          {text('login.usePassword')}
        </Link>
      }
    >
      <Field label={text('login.token')} required hint={text('login.tokenHint')}>
        <TextInput
          autoFocus
          mono
          type="password"
          name="token"
          autoComplete="off"
          value={token}
          onText={setToken}
          className="h-8"
        />
      </Field>
    </LoginForm>
  );
}

export const lazyTokenLogin = createLazyRoute('/login/token')({ component: TokenLogin });
