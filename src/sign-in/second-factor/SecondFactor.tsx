import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';

import { secondFactors } from '#src/auth/second-factor.ts';
import { BackToSignIn } from '#src/sign-in/frame/BackToSignIn.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { useText } from '#src/sign-in/frame/texts.ts';
import { useContinue } from '#src/sign-in/frame/use-continue.ts';
import { reportPasswordSet } from '#src/sign-in/password/password-set.ts';
import { Field } from '#src/ui/fields/Field.tsx';
import { Select } from '#src/ui/fields/Select.tsx';

import { SmsChallenge } from './SmsChallenge.tsx';
import { TotpChallenge } from './TotpChallenge.tsx';

/** Completes a sign-in with a second factor. */
function SecondFactor() {
  const t = useText();
  const proceed = useContinue();
  // The factors for the sign-in in progress. Empty if there is none.
  const [factors] = useState(secondFactors);
  const [selectedId, setSelectedId] = useState<string>();

  const factor = factors.find(({ id }) => id === selectedId) ?? factors[0];
  if (!factor) return <NoPendingSignIn />;

  const onSolved = async (): Promise<void> => {
    await reportPasswordSet();
    await proceed();
  };
  const choice = factors.length > 1 && (
    <Field label={t('factor.choose')}>
      <Select
        value={factor.id}
        options={factors.map(({ id, kind, label }) => ({ value: id, label: t(`factor.${kind}`, { label }) }))}
        onValue={setSelectedId}
        className="[&_select]:h-8"
      />
    </Field>
  );
  const Challenge = factor.kind === 'totp' ? TotpChallenge : SmsChallenge;
  return (
    <Challenge key={factor.id} factor={factor} onSolved={onSolved}>
      {choice}
    </Challenge>
  );
}

/** Shown after a page reload, or if the sign-in took too long. The user must then start over. */
function NoPendingSignIn() {
  const t = useText();
  return (
    <Notice title={t('factor.title')} links={<BackToSignIn />}>
      <p>{t('factor.none')}</p>
    </Notice>
  );
}

export const lazySecondFactor = createLazyRoute('/login/mfa')({ component: SecondFactor });
