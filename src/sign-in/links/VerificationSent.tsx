import { useEffect, useEffectEvent, useState } from 'react';

import type { Session } from '#src/auth/session.ts';
import { refreshIdentity, sendVerification } from '#src/auth/session.ts';
import { report } from '#src/net/report.ts';
import { ProblemText } from '#src/sign-in/form/ProblemText.tsx';
import { useAttempt } from '#src/sign-in/form/use-attempt.ts';
import { useCountdown } from '#src/sign-in/form/use-countdown.ts';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { OutboxHint } from '#src/sign-in/frame/OutboxHint.tsx';
import { SignedInAs } from '#src/sign-in/frame/SignedInAs.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useContinue } from '#src/sign-in/frame/use-continue.ts';
import { Button } from '#src/ui/Button.tsx';

/** Delay before a link can be resent (spec 9). */
const RESEND_S = 5;
/** How often, while this screen is visible, it asks the provider whether the link was opened elsewhere. */
const POLL_MS = 5000;

type IdentitySession = Extract<Session, { readonly method: 'identity' }>;

/** Addresses that an email was sent to since the page loaded: returning here does not send another email. */
const sentAddresses = new Set<string>();

/**
 * Sends the email, unless creating the account already has (spec 2), and continues once the link has been opened, here
 * or elsewhere.
 */
export function VerificationSent({ session }: { readonly session: IdentitySession }) {
  const text = useText();
  const [remaining, restartCountdown] = useCountdown(RESEND_S);
  const { problem, attempt } = useAttempt(pageMessage('verify.sendFailed'));
  const [resent, setResent] = useState(false);
  const { email, emailVerified } = session;
  useContinueWhenVerified(emailVerified);

  const resend = (): void => {
    restartCountdown();
    setResent(false);
    void attempt(async () => {
      await sendVerification();
      setResent(true);
    });
  };

  const sendFirst = useEffectEvent(() => {
    if (session.arrival === 'created') sentAddresses.add(email);
    if (emailVerified || sentAddresses.has(email)) return;
    sentAddresses.add(email);
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
            {...(remaining > 0 ? { disabledReason: text('verify.wait', { count: remaining }) } : {})}
          >
            {remaining > 0 ? text('verify.wait', { count: remaining }) : text('verify.resend')}
          </Button>
        </>
      }
      links={<SignedInAs />}
    >
      <p>{text(resent ? 'verify.sentAgain' : 'verify.sent', { email })}</p>
      <p>{text('verify.waiting')}</p>
      <OutboxHint />
    </Notice>
  );
}

function useContinueWhenVerified(verified: boolean): void {
  const proceed = useEffectEvent(useContinue());
  useEffect(() => {
    if (verified) void proceed();
  }, [verified]);

  useEffect(() => {
    const check = (): void => {
      if (document.visibilityState === 'visible') refreshIdentity().catch(report);
    };
    const timer = setInterval(check, POLL_MS);
    window.addEventListener('focus', check);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', check);
    };
  }, []);
}
