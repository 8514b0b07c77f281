import { solveTotp } from '#src/auth/second-factor.ts';
import type { ChallengeProps } from './challenge.ts';
import { CodeField } from './CodeField.tsx';
import { LoginForm } from './LoginForm.tsx';
import { said, useText } from './texts.ts';
import { ToSignIn } from './ToSignIn.tsx';
import { useCodeForm } from './use-code-form.ts';

/** The code of an authenticator app. */
export function TotpChallenge({ factor, solved, children }: ChallengeProps) {
  const text = useText();
  const form = useCodeForm(async (code) => {
    await solveTotp(factor.id, code);
    await solved();
  }, said('factor.failed'));
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
