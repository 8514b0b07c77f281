import { solveTotp } from '#src/auth/second-factor.ts';
import type { ChallengeProps } from './challenge.ts';
import { CodeField } from '#src/sign-in/form/CodeField.tsx';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { ToSignIn } from '#src/sign-in/frame/ToSignIn.tsx';
import { useCodeForm } from '#src/sign-in/form/use-code-form.ts';

/** The code of an authenticator app. */
export function TotpChallenge({ factor, solved, children }: ChallengeProps) {
  const text = useText();
  const form = useCodeForm(async (code) => {
    await solveTotp(factor.id, code);
    await solved();
  }, pageMessage('factor.failed'));
  return (
    <LoginForm
      form={form}
      title={text('factor.title')}
      intro={text('factor.introTotp')}
      submit={text('factor.submit')}
      busy={text('factor.busy')}
      footer={<ToSignIn />}
    >
      {children}
      <CodeField form={form} label={text('factor.code')} />
    </LoginForm>
  );
}
