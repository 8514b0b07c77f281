import { useAtomValue } from 'jotai';

import { applyVerification, sessionAtom } from '#src/auth/session.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import { problemOf } from '#src/sign-in/form/problems.ts';
import { useLoadOnce } from '#src/sign-in/form/use-load-once.ts';
import { Loading } from '#src/sign-in/frame/Loading.tsx';
import { Notice } from '#src/sign-in/frame/Notice.tsx';
import { ScreenLink, ScreenLinks } from '#src/sign-in/frame/ScreenLinks.tsx';
import { SignedInAs } from '#src/sign-in/frame/SignedInAs.tsx';
import { pageMessage, useText } from '#src/sign-in/frame/texts.ts';
import { useContinue } from '#src/sign-in/frame/use-continue.ts';
import { Button } from '#src/ui/Button.tsx';

/** The requests by code. A code works only once, but a screen can mount twice. */
const requests = new Map<string, Promise<string>>();

function apply(code: string): Promise<string> {
  const request = requests.get(code) ?? applyVerification(code);
  requests.set(code, request);
  return request;
}

/** Applies the code in the email's link and shows the verified address. */
export function VerifiedByLink({ code }: { readonly code: string }) {
  const translate = useTranslate();
  const t = useText();
  const proceed = useContinue();
  const session = useAtomValue(sessionAtom);
  const verification = useLoadOnce(() => apply(code));

  if (!verification) return <Loading title={t('verify.checking')} />;
  const isSignedIn = session.status === 'signed-in';
  const problem = 'error' in verification ? problemOf(verification.error, pageMessage('verify.failed')) : undefined;
  return (
    <Notice
      title={t(problem ? 'verify.title' : 'verify.doneTitle')}
      actions={
        isSignedIn && (
          <Button tone="primary" className="h-8" autoFocus onClick={() => void proceed()}>
            {t('goOn')}
          </Button>
        )
      }
      links={
        isSignedIn ? (
          <SignedInAs />
        ) : (
          <ScreenLinks>
            <ScreenLink to="/login">{t('links.signIn')}</ScreenLink>
          </ScreenLinks>
        )
      }
    >
      <p>
        {'value' in verification
          ? t('verify.done', { email: verification.value })
          : problem && translate(problem.message)}
      </p>
    </Notice>
  );
}
