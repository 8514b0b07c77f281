import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import type { ReactNode } from 'react';

import {
  changePassword,
  emailOfResetCode,
  isPassword,
  resetPassword,
  sessionAtom,
  signInWithPassword,
} from '#src/auth/session.ts';
import { useSay } from '#src/i18n/i18n.ts';
import { actingAtom } from '#src/state/acting.ts';
import { Loading } from '#src/sign-in/frame/Loading.tsx';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { passwordIsSet, tellPasswordSet } from './password-set.ts';
import { newPassword, usePasswordPolicy } from './policy.ts';
import { problemOf, Refusal, type Problem } from '#src/sign-in/form/problems.ts';
import { SignedInAs } from '#src/sign-in/frame/SignedInAs.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useForm } from '#src/sign-in/form/use-form.ts';
import { useLoaded } from '#src/sign-in/form/use-loaded.ts';
import { useMailCode } from '#src/sign-in/links/use-mail-code.ts';
import { useOnward, useSignIn } from '#src/sign-in/frame/use-onward.ts';
import { Way, Ways } from '#src/sign-in/frame/Ways.tsx';

/** A new password: by the link of a mail, or for who is signed in. */
function ResetPassword() {
  const code = useMailCode();
  const session = useAtomValue(sessionAtom);
  if (code !== undefined) return <ByMail key={code} code={code} />;
  if (session.status === 'signed-in' && session.by === 'identity') return <Own email={session.email} />;
  return <NoWay problem={{ message: pageMessage('reset.noLink') }} />;
}

function ByMail({ code }: { readonly code: string }) {
  const text = useText();
  const enter = useSignIn();
  const whose = useLoaded(() => emailOfResetCode(code));

  if (!whose) return <Loading title={text('reset.title')} />;
  if ('error' in whose) return <NoWay problem={problemOf(whose.error, pageMessage('reset.failed'))} />;
  const email = whose.value;
  return (
    <NewPassword
      email={email}
      intro={text('reset.intro', { email })}
      set={async (password) => {
        await resetPassword(code, password);
        passwordIsSet();
        await enter(async () => {
          await signInWithPassword(email, password);
          await tellPasswordSet();
        });
      }}
    />
  );
}

function Own({ email }: { readonly email: string }) {
  const text = useText();
  const onward = useOnward();
  const asked = useAtomValue(actingAtom)?.passwordResetRecommended ?? false;
  return (
    <NewPassword
      email={email}
      intro={text(asked ? 'reset.introAsked' : 'reset.introOwn', { email })}
      set={async (password) => {
        // Whoever set the one that is to be replaced knows it too.
        if (asked && (await isPassword(password)))
          throw new Refusal({ message: pageMessage('reset.same'), field: 'password' });
        await changePassword(password);
        passwordIsSet();
        await tellPasswordSet();
        await onward();
      }}
    >
      {/* The guard leads back here from there while it is asked of them. */}
      {!asked && (
        <Ways>
          <Way to="/">{text('toConsole')}</Way>
        </Ways>
      )}
      <SignedInAs />
    </NewPassword>
  );
}

interface NewPasswordProps {
  readonly email: string;
  readonly intro: string;
  readonly set: (password: string) => Promise<void>;
  /** Other ways on. */
  readonly children?: ReactNode;
}

function NewPassword({ email, intro, set, children }: NewPasswordProps) {
  const text = useText();
  const policy = usePasswordPolicy();
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: newPassword(password, policy) }),
    submit: ({ password }) => set(password),
    otherwise: pageMessage('reset.failed'),
  });
  return (
    <LoginForm
      form={form}
      title={text('reset.title')}
      intro={intro}
      submit={text('reset.submit')}
      busy={text('reset.busy')}
      footer={children}
    >
      {/* Tells a password manager whose password this is. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField form={form} name="password" label={text('reset.password')} policy={policy} autoFocus />
    </LoginForm>
  );
}

function NoWay({ problem }: { readonly problem: Problem | undefined }) {
  const say = useSay();
  const text = useText();
  return (
    <Notice
      title={text('reset.title')}
      ways={
        <Ways>
          <Way to="/login/forgot-password">{text('ways.newLink')}</Way>
          <Way to="/login">{text('ways.signIn')}</Way>
        </Ways>
      }
    >
      {problem && <p>{say(problem.message)}</p>}
    </Notice>
  );
}

export const lazyResetPassword = createLazyRoute('/login/reset-password')({ component: ResetPassword });
