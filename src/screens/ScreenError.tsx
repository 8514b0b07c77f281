import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';

import { failureOf } from '#commands/model/errors.ts';
import { signOut } from '#src/auth/session.ts';
import { lookupFailure } from '#src/data/failure.ts';
import { useOnReconnect } from '#src/data/use-reconnects.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { report } from '#src/net/report.ts';
import { isNotLoaded } from '#src/state/not-loaded.ts';
import { Button } from '#src/ui/Button.tsx';
import { StateMessage } from '#src/ui/StateMessage.tsx';

import { hardLoad } from './hard-load.ts';

/** Shown if a screen cannot be loaded. Offers to try again, or to go home if the user has no access. */
export function ScreenError({ error }: ErrorComponentProps) {
  const router = useRouter();
  const translate = useTranslate();
  const t = useText();
  useEffect(() => {
    report(error);
    if (isNotLoaded(error)) void hardLoad(router.latestLocation.href);
  }, [error, router]);
  useOnReconnect(() => void router.invalidate());
  const { code } = failureOf(error);
  const isForbidden = code === 'permission_denied' || code === 'not_found';
  return (
    <div className="h-dvh bg-surface-0 text-body text-ink-1">
      <StateMessage
        urgent
        title={t(isForbidden ? 'screen.forbidden' : 'screen.failed')}
        actions={
          <>
            {isForbidden ? (
              <Button autoFocus tone="primary" onClick={() => window.location.assign('/')}>
                {t('screen.home')}
              </Button>
            ) : (
              <Button autoFocus tone="primary" onClick={() => void router.invalidate()}>
                {t('screen.retry')}
              </Button>
            )}
            <Button onClick={() => void signOut()}>{t('screen.signOut')}</Button>
          </>
        }
      >
        {translate(lookupFailure(error))}
      </StateMessage>
    </div>
  );
}
