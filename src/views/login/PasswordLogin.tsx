import { createLazyRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';

import { signInWithPassword } from '../../auth/session.ts';
import { useText } from '../../i18n.ts';
import { Field } from '../../ui/Field.tsx';
import { TextInput } from '../../ui/TextInput.tsx';
import { LoginForm } from './LoginForm.tsx';
import { signInProblem } from './problems.ts';

/** Enough to tell a slip of the finger; the identity provider decides the rest. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function PasswordLogin() {
  const text = useText();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ email?: string; password?: string }>({});

  const submit = async (): Promise<void> => {
    const wrong = {
      ...(EMAIL.test(email.trim()) ? {} : { email: text('login.invalidEmail') }),
      ...(password ? {} : { password: text('login.required') }),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) throw new InvalidForm();
    await signInWithPassword(email.trim(), password);
  };

  return (
    <LoginForm
      title={text('login.title')}
      submit={submit}
      explain={(error) => {
        const key = error instanceof InvalidForm ? undefined : signInProblem(error);
        return key && text(key);
      }}
      footer={
        <Link to="/login/token" search={(previous) => previous} className="text-accent hover:underline">
          {text('login.useToken')}
        </Link>
      }
    >
      <Field label={text('login.email')} required errors={errors.email ? [errors.email] : []}>
        <TextInput
          autoFocus
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          className="h-8"
        />
      </Field>
      <Field label={text('login.password')} required errors={errors.password ? [errors.password] : []}>
        <TextInput
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
          className="h-8"
        />
      </Field>
    </LoginForm>
  );
}

/** Thrown when the fields themselves say what is wrong: nothing more is to be said. */
class InvalidForm extends Error {}

export const lazyPasswordLogin = createLazyRoute('/login/')({ component: PasswordLogin });
