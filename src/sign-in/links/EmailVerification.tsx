import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { sessionAtom } from '#src/auth/session.ts';
import { useText } from '#src/sign-in/frame/texts.ts';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { useMailCode } from './use-mail-code.ts';
import { VerificationSent } from './VerificationSent.tsx';
import { VerifiedByLink } from './VerifiedByLink.tsx';
import { Way, Ways } from '#src/sign-in/frame/Ways.tsx';

/** Takes the link of a verification mail; without one, says where the mail went and waits for it to be opened. */
function EmailVerification() {
  const text = useText();
  const code = useMailCode();
  const session = useAtomValue(sessionAtom);
  if (code !== undefined) return <VerifiedByLink key={code} code={code} />;
  if (session.status === 'signed-in' && session.by === 'identity') return <VerificationSent session={session} />;
  return (
    <Notice
      title={text('verify.title')}
      ways={
        <Ways>
          <Way to="/login">{text('ways.signIn')}</Way>
        </Ways>
      }
    >
      <p>{text('verify.signInFirst')}</p>
    </Notice>
  );
}

export const lazyEmailVerification = createLazyRoute('/login/email-verification')({ component: EmailVerification });
