import { createLazyRoute } from '@tanstack/react-router';

import { isUnauthenticated } from '#commands/model/errors.ts';

import { signInWithToken } from '#src/auth/session.ts';
import { checkToken } from '#src/net/check-token.ts';
import { required } from './form/checks.ts';
import { LoginForm } from './form/LoginForm.tsx';
import { PasswordField } from './form/PasswordField.tsx';
import { problemOf } from './form/problems.ts';
import { pageMessage, useText } from './frame/texts.ts';
import { useForm } from './form/use-form.ts';
import { useOnward } from './frame/use-onward.ts';
import { useServerInfo } from './frame/use-server-info.ts';
import { Way, Ways } from './frame/Ways.tsx';

function TokenLogin() {
  const text = useText();
  const permitted = useServerInfo()?.signIn;
  const onward = useOnward();
  const form = useForm({
    initial: { token: '' },
    check: (values) => ({ token: required(values.token) }),
    submit: async ({ token }) => {
      await checkToken(token.trim());
      signInWithToken(token.trim());
      await onward();
    },
    otherwise: pageMessage('failed'),
    explain: (error) =>
      isUnauthenticated(error)
        ? { message: pageMessage('invalidToken'), field: 'token' }
        : problemOf(error, pageMessage('failed')),
  });
  return (
    <LoginForm
      form={form}
      title={text('token.title')}
      submit={text('signIn.submit')}
      busy={text('signIn.busy')}
      footer={
        (permitted?.password !== false || permitted.google) && (
          <Ways>
            <Way to="/login">{text(permitted?.password === false ? 'ways.signIn' : 'ways.password')}</Way>
          </Ways>
        )
      }
    >
      <PasswordField
        form={form}
        name="token"
        label={text('token.label')}
        hint={text('token.hint')}
        autoComplete="off"
        autoFocus
        mono
      />
    </LoginForm>
  );
}

export const lazyTokenLogin = createLazyRoute('/login/token')({ component: TokenLogin });
