import { useEffect, useState } from 'react';

import type { Message } from '#commands/core/message';

import { finishTotp, startTotp } from '../../auth/second-factor.ts';
import { useSay } from '../../i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField } from './CodeField.tsx';
import { Loading } from './Loading.tsx';
import { LoginForm } from './LoginForm.tsx';
import { Notice } from './Notice.tsx';
import { problemOf } from './problems.ts';
import { QrCode } from './QrCode.tsx';
import { SecretText } from './SecretText.tsx';
import { said, useText } from './texts.ts';
import { useCodeForm } from './use-code-form.ts';

interface Started {
  readonly secret: string;
  readonly uri: string;
}

/** Adds an authenticator app: it takes the secret from a picture or as text, and proves it with a code. */
export function EnrollTotp({ back }: { readonly back: () => void }) {
  const say = useSay();
  const text = useText();
  const [started, setStarted] = useState<Started>();
  const [problem, setProblem] = useState<Message>();
  const form = useCodeForm(async (code) => {
    await finishTotp(code, text('enroll.totpName'));
    back();
  }, said('enroll.failed'));

  useEffect(() => {
    let gone = false;
    startTotp().then(
      (found) => !gone && setStarted(found),
      (error: unknown) => !gone && setProblem(problemOf(error, said('enroll.failed'))?.said),
    );
    return () => {
      gone = true;
    };
  }, []);

  const leave = (
    <Button tone="quiet" className="h-8" onClick={back}>
      {text('back')}
    </Button>
  );
  if (problem) {
    return (
      <Notice title={text('enroll.totpTitle')} actions={leave}>
        <p>{say(problem)}</p>
      </Notice>
    );
  }
  if (!started) return <Loading title={text('enroll.totpTitle')} />;
  return (
    <LoginForm
      form={form}
      title={text('enroll.totpTitle')}
      intro={text('enroll.totpIntro')}
      submit={text('enroll.submit')}
      busy={text('factor.busy')}
      footer={leave}
    >
      <QrCode text={started.uri} label={text('enroll.qr')} />
      <SecretText label={text('enroll.secret')} secret={started.secret} />
      <CodeField form={form} label={text('enroll.code')} />
    </LoginForm>
  );
}
