import { useEffect, useEffectEvent, useState } from 'react';

import type { Session } from '#src/auth/session.ts';
import { refreshIdentity, sendVerification } from '#src/auth/session.ts';
import { report } from '#src/net/report.ts';
import { Button } from '#src/ui/Button.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { OutboxHint } from '#src/sign-in/frame/OutboxHint.tsx';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { SignedInAs } from '#src/sign-in/frame/SignedInAs.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useAttempt } from '#src/sign-in/form/use-attempt.ts';
import { useCountdown } from '#src/sign-in/form/use-countdown.ts';
import { useOnward } from '#src/sign-in/frame/use-onward.ts';

/** Spec 9: a link can be resent after this long. */
const RESEND_S = 5;
/** How often the provider is asked whether the link was opened elsewhere, while this is looked at. */
const LOOK_MS = 5000;

type IdentitySession = Extract<Session, { readonly by: 'identity' }>;

/** Who was sent a mail since the page was loaded: coming here again does not send another. */
const sent = new Set<string>();

/**
 * Sends the mail, unless creating the account has (spec 2), and goes on by itself once its link was opened, here or
 * elsewhere.
 */
export function VerificationSent({ session }: { readonly session: IdentitySession }) {
  const text = useText();
  const [left, wait] = useCountdown(RESEND_S);
  const { problem, attempt } = useAttempt(pageMessage('verify.sendFailed'));
  const [again, setAgain] = useState(false);
  const { email, emailVerified } = session;
  useGoOn(emailVerified);

  const resend = (): void => {
    wait();
    setAgain(false);
    void attempt(async () => {
      await sendVerification();
      setAgain(true);
    });
  };

  const sendFirst = useEffectEvent(() => {
    if (session.arrival === 'created') sent.add(email);
    if (emailVerified || sent.has(email)) return;
    sent.add(email);
    void attempt(sendVerification);
  });
  useEffect(() => sendFirst(), []);

  return (
    <Notice
      title={text('verify.title')}
      actions={
        <>
          <ProblemText problem={problem} />
          <Button
            className="h-8"
            onClick={resend}
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
