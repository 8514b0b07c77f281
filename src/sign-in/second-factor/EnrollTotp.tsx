import { finishTotp, startTotp } from '#src/auth/second-factor.ts';
import { CodeField } from '#src/sign-in/form/CodeField.tsx';
import { LoginForm } from '#src/sign-in/form/LoginForm.tsx';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { useCodeForm } from '#src/sign-in/form/use-code-form.ts';
import { useLoadOnce } from '#src/sign-in/form/use-load-once.ts';
import { Loading } from '#src/sign-in/frame/Loading.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { Button } from '#src/ui/Button.tsx';

import { QrCode } from './QrCode.tsx';
import { SecretText } from './SecretText.tsx';

/** Adds an authenticator app. Shows the secret as a QR code and as text, and verifies the app with a code. */
export function EnrollTotp({ back }: { readonly back: () => void }) {
  const t = useText();
  const enrollment = useLoadOnce(startTotp);
  const form = useCodeForm(async (code) => {
    await finishTotp(code, t('enroll.totpName'));
    back();
  }, pageMessage('enroll.failed'));

  const backButton = (
    <Button tone="quiet" className="h-8" onClick={back}>
      {t('back')}
    </Button>
  );
  if (!enrollment) return <Loading title={t('enroll.totpTitle')} />;
  if ('error' in enrollment) {
    return (
      <Notice title={t('enroll.totpTitle')} actions={backButton}>
        <ProblemText problem={problemOf(enrollment.error, pageMessage('enroll.failed'))?.message} />
      </Notice>
    );
  }
  const { secret, uri } = enrollment.value;
  return (
    <LoginForm
      form={form}
      title={t('enroll.totpTitle')}
      intro={t('enroll.totpIntro')}
      submitLabel={t('enroll.submit')}
      busyLabel={t('factor.busy')}
      footer={backButton}
    >
      <QrCode text={uri} label={t('enroll.qr')} />
      <SecretText label={t('enroll.secret')} secret={secret} />
      <CodeField form={form} label={t('enroll.code')} />
    </LoginForm>
  );
}
