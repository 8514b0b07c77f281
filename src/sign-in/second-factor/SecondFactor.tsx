import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';

import { secondFactors } from '#src/auth/second-factor.ts';
import { Field } from '#src/ui/fields/Field.tsx';
import { Select } from '#src/ui/fields/Select.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { tellPasswordSet } from '#src/sign-in/password/password-set.ts';
import { SmsChallenge } from './SmsChallenge.tsx';
import { useText } from '#src/sign-in/frame/texts.ts';
import { ToSignIn } from '#src/sign-in/frame/ToSignIn.tsx';
import { TotpChallenge } from './TotpChallenge.tsx';
import { useOnward } from '#src/sign-in/frame/use-onward.ts';

/** Completes a sign-in that waits for a second factor. */
function SecondFactor() {
  const text = useText();
  const onward = useOnward();
  // Those that the sign-in waits for; none where no sign-in does.
  const [factors] = useState(secondFactors);
  const [chosen, setChosen] = useState<string>();

  const factor = factors.find(({ id }) => id === chosen) ?? factors[0];
  if (!factor) return <NothingWaits />;

  const solved = async (): Promise<void> => {
    await tellPasswordSet();
    await onward();
  };
  const choice = factors.length > 1 && (
    <Field label={text('factor.choose')}>
      <Select
        value={factor.id}
        options={factors.map(({ id, kind, label }) => ({ value: id, label: text(`factor.${kind}`, { label }) }))}
        onValue={setChosen}
        className="[&_select]:h-8"
      />
    </Field>
  );
  const Challenge = factor.kind === 'totp' ? TotpChallenge : SmsChallenge;
  return (
    <Challenge key={factor.id} factor={factor} solved={solved}>
      {choice}
    </Challenge>
  );
}

/** The page was loaded anew, or the sign-in took too long: it begins again. */
function NothingWaits() {
  const text = useText();
  return (
    <Notice title={text('factor.title')} ways={<ToSignIn />}>
      <p>{text('factor.none')}</p>
    </Notice>
  );
}

export const lazySecondFactor = createLazyRoute('/login/mfa')({ component: SecondFactor });
