import { finishTotp, startTotp } from '#src/auth/second-factor.ts';
import { Button } from '#src/ui/Button.tsx';
import { CodeField } from '#src/sign-in/form/CodeField.tsx';
import { Loading } from '#src/sign-in/frame/Loading.tsx';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { QrCode } from './QrCode.tsx';
import { SecretText } from './SecretText.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useCodeForm } from '#src/sign-in/form/use-code-form.ts';
import { useLoaded } from '#src/sign-in/form/use-loaded.ts';

/** Adds an authenticator app: it takes the secret from a picture or as text, and proves it with a code. */
export function EnrollTotp({ back }: { readonly back: () => void }) {
  const text = useText();
  const started = useLoaded(startTotp);
  const form = useCodeForm(async (code) => {
    await finishTotp(code, text('enroll.totpName'));
    back();
  }, pageMessage('enroll.failed'));

  const leave = (
    <Button tone="quiet" className="h-8" onClick={back}>
      {text('back')}
    </Button>
  );
  if (!started) return <Loading title={text('enroll.totpTitle')} />;
  if ('error' in started) {
    return (
      <Notice title={text('enroll.totpTitle')} actions={leave}>
        <ProblemText problem={problemOf(started.error, pageMessage('enroll.failed'))?.message} />
      </Notice>
    );
  }
  const { secret, uri } = started.value;
  return (
    <LoginForm
      form={form}
      title={text('enroll.totpTitle')}
      intro={text('enroll.totpIntro')}
      submit={text('enroll.submit')}
      busy={text('factor.busy')}
      footer={leave}
    >
      <QrCode text={uri} label={text('enroll.qr')} />
      <SecretText label={text('enroll.secret')} secret={secret} />
      <CodeField form={form} label={text('enroll.code')} />
    </LoginForm>
  );
}
