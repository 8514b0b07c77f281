import { createLazyRoute } from '@tanstack/react-router';

import { createAccount } from '#src/auth/session.ts';
import { email, required } from '#src/sign-in/form/checks.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { TextField } from '#src/sign-in/form/TextField.tsx';
import { ScreenLink, ScreenLinks } from '#src/sign-in/frame/ScreenLinks.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useContinue } from '#src/sign-in/frame/use-continue.ts';
import { useForm } from '#src/ui/fields/use-form.ts';

import { NewPasswordField } from './NewPasswordField.tsx';
import { checkNewPassword, usePasswordPolicy } from './policy.ts';

function CreateUser() {
  const t = useText();
  const policy = usePasswordPolicy();
  const proceed = useContinue();
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    check: (values) => ({
      name: required(values.name),
      email: email(values.email),
      password: checkNewPassword(values.password, policy),
    }),
    submit: async (values) => {
      await createAccount({ name: values.name.trim(), email: values.email.trim(), password: values.password });
      await proceed();
    },
    explain: (error) => problemOf(error, pageMessage('create.failed')),
  });
  return (
    <LoginForm
      form={form}
      title={t('create.title')}
      submitLabel={t('create.submit')}
      busyLabel={t('create.busy')}
      footer={
        <ScreenLinks>
          <ScreenLink to="/login">{t('links.haveAccount')}</ScreenLink>
        </ScreenLinks>
      }
    >
      <TextField form={form} name="name" label={t('name')} autoComplete="name" autoFocus />
      <TextField form={form} name="email" label={t('email')} type="email" autoComplete="username" />
      <NewPasswordField form={form} name="password" label={t('password')} policy={policy} />
    </LoginForm>
  );
}

export const lazyCreateUser = createLazyRoute('/login/create')({ component: CreateUser });
