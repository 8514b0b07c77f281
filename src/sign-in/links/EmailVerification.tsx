import { createLazyRoute } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';

import { sessionAtom } from '#src/auth/session.ts';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { ScreenLink, ScreenLinks } from '#src/sign-in/frame/ScreenLinks.tsx';
import { useText } from '#src/sign-in/frame/texts.ts';

import { useEmailCode } from './use-email-code.ts';
import { VerificationSent } from './VerificationSent.tsx';
import { VerifiedByLink } from './VerifiedByLink.tsx';

/**
 * Applies the link from a verification email. If there is no link, shows where the email was sent, and waits until the
 * user opens the link.
 */
function EmailVerification() {
  const t = useText();
  const code = useEmailCode();
  const session = useAtomValue(sessionAtom);
  if (code !== undefined) return <VerifiedByLink key={code} code={code} />;
  if (session.status === 'signed-in' && session.method === 'identity') return <VerificationSent session={session} />;
  return (
    <Notice
      title={t('verify.title')}
      links={
        <ScreenLinks>
          <ScreenLink to="/login">{t('links.signIn')}</ScreenLink>
        </ScreenLinks>
      }
    >
      <p>{t('verify.signInFirst')}</p>
    </Notice>
  );
}

export const lazyEmailVerification = createLazyRoute('/login/email-verification')({ component: EmailVerification });
