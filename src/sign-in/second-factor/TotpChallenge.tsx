import { solveTotp } from '#src/auth/second-factor.ts';
import { CodeField } from '#src/sign-in/form/CodeField.tsx';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { useCodeForm } from '#src/sign-in/form/use-code-form.ts';
import { BackToSignIn } from '#src/sign-in/frame/BackToSignIn.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';

import type { ChallengeProps } from './challenge.ts';

/** Asks for the code from an authenticator app. */
export function TotpChallenge({ factor, onSolved, children }: ChallengeProps) {
  const t = useText();
  const form = useCodeForm(async (code) => {
    await solveTotp(factor.id, code);
    await onSolved();
  }, pageMessage('factor.failed'));
  return (
    <LoginForm
      form={form}
      title={t('factor.title')}
      intro={t('factor.introTotp')}
      submitLabel={t('factor.submit')}
      busyLabel={t('factor.busy')}
      footer={<BackToSignIn />}
    >
      {children}
      <CodeField form={form} label={t('factor.code')} />
    </LoginForm>
  );
}
