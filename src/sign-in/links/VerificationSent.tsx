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
/** While it is visible, this screen asks the provider at this interval whether the link was opened elsewhere. */
const POLL_MS = 5000;

type IdentitySession = Extract<Session, { readonly method: 'identity' }>;

/** The addresses that an email was sent to since the page loaded. Returning here does not send another email. */
const sentAddresses = new Set<string>();

/**
 * Sends the email, unless creating the account already sent it (spec 2). Continues when the link has been opened, here
 * or elsewhere.
 */
export function VerificationSent({ session }: { readonly session: IdentitySession }) {
  const t = useText();
  const [remainingSeconds, restartCountdown] = useCountdown(RESEND_S);
  const { problem, attempt } = useAttempt(pageMessage('verify.sendFailed'));
  const [isResent, setIsResent] = useState(false);
  const { email, emailVerified } = session;
  useContinueWhenVerified(emailVerified);

  const resend = (): void => {
    restartCountdown();
    setIsResent(false);
    void attempt(async () => {
      await sendVerification();
      setIsResent(true);
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
      title={t('verify.title')}
      actions={
        <>
          <ProblemText problem={problem} />
          <Button
            className="h-8"
            onClick={resend}
            {...(remainingSeconds > 0 ? { disabledReason: t('verify.wait', { count: remainingSeconds }) } : {})}
          >
            {remainingSeconds > 0 ? t('verify.wait', { count: remainingSeconds }) : t('verify.resend')}
          </Button>
        </>
      }
      links={<SignedInAs />}
    >
      <p>{t(isResent ? 'verify.sentAgain' : 'verify.sent', { email })}</p>
      <p>{t('verify.waiting')}</p>
      <OutboxHint />
    </Notice>
  );
}

function useContinueWhenVerified(isVerified: boolean): void {
  const proceed = useEffectEvent(useContinue());
  useEffect(() => {
    if (isVerified) void proceed();
  }, [isVerified]);

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
