import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import type { ReactNode } from 'react';

import {
  changePassword,
  emailOfResetCode,
  isCurrentPassword,
  resetPassword,
  sessionAtom,
  signInWithPassword,
} from '#src/auth/session.ts';
import { useSay } from '#src/i18n/i18n.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { problemOf, RefusedError, type Problem } from '#src/sign-in/form/problems.ts';
import { useForm } from '#src/sign-in/form/use-form.ts';
import { useLoaded } from '#src/sign-in/form/use-loaded.ts';
import { Loading } from '#src/sign-in/frame/Loading.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { ScreenLink, ScreenLinks } from '#src/sign-in/frame/ScreenLinks.tsx';
import { SignedInAs } from '#src/sign-in/frame/SignedInAs.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useContinue, useSignIn } from '#src/sign-in/frame/use-continue.ts';
import { useEmailCode } from '#src/sign-in/links/use-email-code.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { NewPasswordField } from './NewPasswordField.tsx';
import { notePasswordSet, reportPasswordSet } from './password-set.ts';
import { checkNewPassword, usePasswordPolicy } from './policy.ts';

/** Sets a new password: with an email link, or for the signed-in person. */
function ResetPassword() {
  const code = useEmailCode();
  const session = useAtomValue(sessionAtom);
  if (code !== undefined) return <NewPasswordByLink key={code} code={code} />;
  if (session.status === 'signed-in' && session.method === 'identity') return <OwnNewPassword email={session.email} />;
  return <LinkProblem problem={{ message: pageMessage('reset.noLink') }} />;
}

function NewPasswordByLink({ code }: { readonly code: string }) {
  const text = useText();
  const completeSignIn = useSignIn();
  const account = useLoaded(() => emailOfResetCode(code));

  if (!account) return <Loading title={text('reset.title')} />;
  if ('error' in account) return <LinkProblem problem={problemOf(account.error, pageMessage('reset.failed'))} />;
  const email = account.value;
  return (
    <NewPassword
      email={email}
      intro={text('reset.intro', { email })}
      set={async (password) => {
        await resetPassword(code, password);
        notePasswordSet();
        await completeSignIn(async () => {
          await signInWithPassword(email, password);
          await reportPasswordSet();
        });
      }}
    />
  );
}

function OwnNewPassword({ email }: { readonly email: string }) {
  const text = useText();
  const proceed = useContinue();
  const recommended = useAtomValue(userSessionAtom)?.passwordResetRecommended ?? false;
  return (
    <NewPassword
      email={email}
      intro={text(recommended ? 'reset.introRecommended' : 'reset.introOwn', { email })}
      set={async (password) => {
        // Must differ from the current password, which someone else may have set and may therefore know.
        if (recommended && (await isCurrentPassword(password)))
          throw new RefusedError({ message: pageMessage('reset.same'), field: 'password' });
        await changePassword(password);
        notePasswordSet();
        await reportPasswordSet();
        await proceed();
      }}
    >
      {/* Not while a change is recommended: the guard would redirect back here. */}
      {!recommended && (
        <ScreenLinks>
          <ScreenLink to="/">{text('toConsole')}</ScreenLink>
        </ScreenLinks>
      )}
      <SignedInAs />
    </NewPassword>
  );
}

interface NewPasswordProps {
  readonly email: string;
  readonly intro: string;
  readonly set: (password: string) => Promise<void>;
  /** Links to alternatives. */
  readonly children?: ReactNode;
}

function NewPassword({ email, intro, set, children }: NewPasswordProps) {
  const text = useText();
  const policy = usePasswordPolicy();
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: checkNewPassword(password, policy) }),
    submit: ({ password }) => set(password),
    fallback: pageMessage('reset.failed'),
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
      {/* Tells password managers whose password this is. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField form={form} name="password" label={text('reset.password')} policy={policy} autoFocus />
    </LoginForm>
  );
}

function LinkProblem({ problem }: { readonly problem: Problem | undefined }) {
  const say = useSay();
  const text = useText();
  return (
    <Notice
      title={text('reset.title')}
      links={
        <ScreenLinks>
          <ScreenLink to="/login/forgot-password">{text('links.newLink')}</ScreenLink>
          <ScreenLink to="/login">{text('links.signIn')}</ScreenLink>
        </ScreenLinks>
      }
    >
      {problem && <p>{say(problem.message)}</p>}
    </Notice>
  );
}

export const lazyResetPassword = createLazyRoute('/login/reset-password')({ component: ResetPassword });
