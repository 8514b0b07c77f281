import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useState } from 'react';

import type { Factor } from '#src/auth/account.ts';
import { sessionAtom, skipSecondFactor } from '#src/auth/session.ts';
import { BackToSignIn } from '#src/sign-in/frame/BackToSignIn.tsx';
import { Heading } from '#src/sign-in/frame/Heading.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { SignedInAs } from '#src/sign-in/frame/SignedInAs.tsx';
import { useText } from '#src/sign-in/frame/texts.ts';
import { useContinue } from '#src/sign-in/frame/use-continue.ts';
import { Button } from '#src/ui/Button.tsx';

import { EnrolledFactors } from './EnrolledFactors.tsx';
import { EnrollSms } from './EnrollSms.tsx';
import { EnrollTotp } from './EnrollTotp.tsx';

/** Lists the user's second factors and offers to add one or to skip this step. */
function EnrollSecondFactor() {
  const t = useText();
  const proceed = useContinue();
  const session = useAtomValue(sessionAtom);
  const [kindToAdd, setKindToAdd] = useState<Factor['kind']>();
  const goBack = (): void => setKindToAdd(undefined);

  if (session.status !== 'signed-in' || session.method !== 'identity') {
    return (
      <Notice title={t('enroll.title')} links={<BackToSignIn />}>
        <p>{t('enroll.signInFirst')}</p>
      </Notice>
    );
  }
  if (kindToAdd === 'totp') return <EnrollTotp back={goBack} />;
  if (kindToAdd === 'sms') return <EnrollSms back={goBack} />;

  const isEnrolled = session.factors.length > 0;
  const skip = async (): Promise<void> => {
    skipSecondFactor();
    await proceed();
  };
  return (
    <section aria-label={t('enroll.title')} className="flex flex-col gap-3.5">
      <Heading title={t('enroll.title')}>{t(isEnrolled ? 'enroll.introMore' : 'enroll.intro')}</Heading>
      {isEnrolled && <EnrolledFactors factors={session.factors} />}
      <div className="flex flex-col gap-2">
        {isEnrolled && (
          <Button tone="primary" autoFocus className="h-8" onClick={() => void proceed()}>
            {t('goOn')}
          </Button>
        )}
        <Button
          tone={isEnrolled ? 'default' : 'primary'}
          autoFocus={!isEnrolled}
          className="h-8"
          onClick={() => setKindToAdd('totp')}
        >
          {t('enroll.addTotp')}
        </Button>
        <Button className="h-8" onClick={() => setKindToAdd('sms')}>
          {t('enroll.addSms')}
        </Button>
        {!isEnrolled && (
          <Button tone="quiet" className="h-8" onClick={() => void skip()}>
            {t('enroll.skip')}
          </Button>
        )}
      </div>
      <SignedInAs />
    </section>
  );
}

export const lazyEnrollSecondFactor = createLazyRoute('/login/mfa/enroll')({ component: EnrollSecondFactor });
