import { createLazyRoute } from '@tanstack/react-router';

import { isUnauthenticated } from '#commands/model/errors.ts';
import { signInWithToken } from '#src/auth/session.ts';
import { checkToken } from '#src/net/check-token.ts';
import { useForm } from '#src/ui/fields/use-form.ts';

import { required } from './form/checks.ts';
import { LoginForm } from './form/LoginForm.tsx';
import { PasswordField } from './form/PasswordField.tsx';
import { problemOf } from './form/problems.ts';
import { ScreenLink, ScreenLinks } from './frame/ScreenLinks.tsx';
import { pageMessage, useText } from './frame/texts.ts';
import { useContinue } from './frame/use-continue.ts';
import { useServerInfo } from './frame/use-server-info.ts';

function TokenLogin() {
  const t = useText();
  const methods = useServerInfo()?.signIn;
  const proceed = useContinue();
  const form = useForm({
    initial: { token: '' },
    check: (values) => ({ token: required(values.token) }),
    submit: async ({ token }) => {
      await checkToken(token.trim());
      signInWithToken(token.trim());
      await proceed();
    },
    explain: (error) =>
      isUnauthenticated(error)
        ? { message: pageMessage('invalidToken'), field: 'token' }
        : problemOf(error, pageMessage('failed')),
  });
  return (
    <LoginForm
      form={form}
      title={t('token.title')}
      submitLabel={t('signIn.submit')}
      busyLabel={t('signIn.busy')}
      footer={
        (methods?.password !== false || methods.google) && (
          <ScreenLinks>
            <ScreenLink to="/login">{t(methods?.password === false ? 'links.signIn' : 'links.password')}</ScreenLink>
          </ScreenLinks>
        )
      }
    >
      <PasswordField
        form={form}
        name="token"
        label={t('token.label')}
        hint={t('token.hint')}
        autoComplete="off"
        autoFocus
        mono
      />
    </LoginForm>
  );
}

export const lazyTokenLogin = createLazyRoute('/login/token')({ component: TokenLogin });
