import { createLazyRoute } from '@tanstack/react-router';

import { createAccount } from '#src/auth/session.ts';
import { email, required } from '#src/sign-in/form/checks.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { newPassword, usePasswordPolicy } from './policy.ts';
import { TextField } from '#src/sign-in/form/TextField.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useForm } from '#src/sign-in/form/use-form.ts';
import { useOnward } from '#src/sign-in/frame/use-onward.ts';
import { Way, Ways } from '#src/sign-in/frame/Ways.tsx';

function CreateUser() {
  const text = useText();
  const policy = usePasswordPolicy();
  const onward = useOnward();
  const form = useForm({
    initial: { name: '', email: '', password: '' },
    check: (values) => ({
      name: required(values.name),
      email: email(values.email),
      password: newPassword(values.password, policy),
    }),
    submit: async (values) => {
      await createAccount({ name: values.name.trim(), email: values.email.trim(), password: values.password });
      await onward();
    },
    otherwise: pageMessage('create.failed'),
  });
  return (
    <LoginForm
      form={form}
      title={text('create.title')}
      submit={text('create.submit')}
      busy={text('create.busy')}
      footer={
        <Ways>
          <Way to="/login">{text('ways.haveAccount')}</Way>
        </Ways>
      }
    >
      <TextField form={form} name="name" label={text('name')} autoComplete="name" autoFocus />
      <TextField form={form} name="email" label={text('email')} type="email" autoComplete="username" />
      <NewPasswordField form={form} name="password" label={text('password')} policy={policy} />
    </LoginForm>
  );
}

export const lazyCreateUser = createLazyRoute('/login/create')({ component: CreateUser });
