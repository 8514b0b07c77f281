import { useEffect, useEffectEvent, useState } from 'react';

import type { Message } from '#commands/core/message';

import type { Session } from '../../auth/session.ts';
import { refreshIdentity, sendVerification } from '../../auth/session.ts';
import { report } from '../../data/report.ts';
import { useSay } from '../../i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from './Notice.tsx';
import { OutboxHint } from './OutboxHint.tsx';
import { problemOf } from './problems.ts';
import { SignedInAs } from './SignedInAs.tsx';
import { said, useText } from './texts.ts';
import { useCountdown } from './use-countdown.ts';
import { useOnward } from './use-onward.ts';

/** Spec 9: a link can be resent after this long. */
const RESEND_S = 5;
/** How often the provider is asked whether the link was opened elsewhere, while this is looked at. */
const LOOK_MS = 5000;

type IdentitySession = Extract<Session, { readonly by: 'identity' }>;

/** Who was sent a mail since the page was loaded: coming here again does not send another. */
const sent = new Set<string>();

/** Sends the mail, unless creating the account has (spec 2), and goes on by itself once its link was opened, here or elsewhere. */
export function VerificationSent({ session }: { readonly session: IdentitySession }) {
  const say = useSay();
  const text = useText();
  const [left, wait] = useCountdown(RESEND_S);
  const [problem, setProblem] = useState<Message>();
  const [again, setAgain] = useState(false);
  const { email, emailVerified } = session;
  useGoOn(emailVerified);

  const send = async (): Promise<void> => {
    setProblem(undefined);
    wait();
    try {
      await sendVerification();
      setAgain(true);
    } catch (error) {
      setAgain(false);
      setProblem(problemOf(error, said('verify.sendFailed'))?.said);
    }
  };

  useEffect(() => {
    if (session.arrival === 'created') sent.add(email);
    if (emailVerified || sent.has(email)) return;
    sent.add(email);
    sendVerification().catch((error: unknown) => setProblem(problemOf(error, said('verify.sendFailed'))?.said));
  }, [email, emailVerified, session.arrival]);

  return (
    <Notice
      title={text('verify.title')}
      actions={
        <>
          {problem && (
            <p role="alert" className="text-error-text">
              {say(problem)}
            </p>
          )}
          <Button
            className="h-8"
            onClick={() => void send()}
            {...(left > 0 ? { disabledReason: text('verify.wait', { count: left }) } : {})}
          >
            {left > 0 ? text('verify.wait', { count: left }) : text('verify.resend')}
          </Button>
        </>
      }
      ways={<SignedInAs />}
    >
      <p>{text(again ? 'verify.sentAgain' : 'verify.sent', { email })}</p>
      <p>{text('verify.waiting')}</p>
      <OutboxHint />
    </Notice>
  );
}

function useGoOn(verified: boolean): void {
  const onward = useEffectEvent(useOnward());
  useEffect(() => {
    if (verified) void onward();
  }, [verified]);

  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') refreshIdentity().catch(report);
    };
    const timer = setInterval(look, LOOK_MS);
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, []);
}
