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
import { useTranslate } from '#src/i18n/i18n.ts';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { problemOf, RejectedValueError } from '#src/sign-in/form/problems.ts';
import { useLoadOnce } from '#src/sign-in/form/use-load-once.ts';
import { Loading } from '#src/sign-in/frame/Loading.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { ScreenLink, ScreenLinks } from '#src/sign-in/frame/ScreenLinks.tsx';
import { SignedInAs } from '#src/sign-in/frame/SignedInAs.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useContinue, useSignIn } from '#src/sign-in/frame/use-continue.ts';
import { useEmailCode } from '#src/sign-in/links/use-email-code.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { useForm, type Problem } from '#src/ui/fields/use-form.ts';

import { NewPasswordField } from './NewPasswordField.tsx';
import { recordPasswordSet, reportPasswordSet } from './password-set.ts';
import { checkNewPassword, usePasswordPolicy } from './policy.ts';

/** Sets a new password, either with the link from an email or for the signed-in user. */
function ResetPassword() {
  const code = useEmailCode();
  const session = useAtomValue(sessionAtom);
  if (code !== undefined) return <NewPasswordByLink key={code} code={code} />;
  if (session.status === 'signed-in' && session.method === 'identity') return <OwnNewPassword email={session.email} />;
  return <LinkProblem problem={{ message: pageMessage('reset.noLink') }} />;
}

function NewPasswordByLink({ code }: { readonly code: string }) {
  const t = useText();
  const completeSignIn = useSignIn();
  const account = useLoadOnce(() => emailOfResetCode(code));

  if (!account) return <Loading title={t('reset.title')} />;
  if ('error' in account) return <LinkProblem problem={problemOf(account.error, pageMessage('reset.failed'))} />;
  const email = account.value;
  return (
    <NewPassword
      email={email}
      intro={t('reset.intro', { email })}
      setPassword={async (password) => {
        await resetPassword(code, password);
        recordPasswordSet();
        await completeSignIn(async () => {
          await signInWithPassword(email, password);
          await reportPasswordSet();
        });
      }}
    />
  );
}

function OwnNewPassword({ email }: { readonly email: string }) {
  const t = useText();
  const proceed = useContinue();
  const isRecommended = useAtomValue(userSessionAtom)?.passwordResetRecommended ?? false;
  return (
    <NewPassword
      email={email}
      intro={t(isRecommended ? 'reset.introRecommended' : 'reset.introOwn', { email })}
      setPassword={async (password) => {
        // The new password must differ from the current one, which someone else may have set and may therefore know.
        if (isRecommended && (await isCurrentPassword(password)))
          throw new RejectedValueError({ message: pageMessage('reset.same'), field: 'password' });
        await changePassword(password);
        recordPasswordSet();
        await reportPasswordSet();
        await proceed();
      }}
    >
      {/* While a change is recommended, the guard would redirect back here. */}
      {!isRecommended && (
        <ScreenLinks>
          <ScreenLink to="/">{t('toConsole')}</ScreenLink>
        </ScreenLinks>
      )}
      <SignedInAs />
    </NewPassword>
  );
}

interface NewPasswordProps {
  readonly email: string;
  readonly intro: string;
  readonly setPassword: (password: string) => Promise<void>;
  /** Links to alternatives. */
  readonly children?: ReactNode;
}

function NewPassword({ email, intro, setPassword, children }: NewPasswordProps) {
  const t = useText();
  const policy = usePasswordPolicy();
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: checkNewPassword(password, policy) }),
    submit: ({ password }) => setPassword(password),
    explain: (error) => problemOf(error, pageMessage('reset.failed')),
  });
  return (
    <LoginForm
      form={form}
      title={t('reset.title')}
      intro={intro}
      submitLabel={t('reset.submit')}
      busyLabel={t('reset.busy')}
      footer={children}
    >
      {/* Tells password managers whose password this is. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField form={form} name="password" label={t('reset.password')} policy={policy} autoFocus />
    </LoginForm>
  );
}

function LinkProblem({ problem }: { readonly problem: Problem | undefined }) {
  const translate = useTranslate();
  const t = useText();
  return (
    <Notice
      title={t('reset.title')}
      links={
        <ScreenLinks>
          <ScreenLink to="/login/forgot-password">{t('links.newLink')}</ScreenLink>
          <ScreenLink to="/login">{t('links.signIn')}</ScreenLink>
        </ScreenLinks>
      }
    >
      {problem && <p>{translate(problem.message)}</p>}
    </Notice>
  );
}

export const lazyResetPassword = createLazyRoute('/login/reset-password')({ component: ResetPassword });
