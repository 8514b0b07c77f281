import { createLazyRoute } from '@tanstack/react-router';

import { Button } from '#src/ui/Button.tsx';

import { LoginFrame } from './frame/LoginFrame.tsx';
import { Notice } from './frame/Notice.tsx';
import { useText } from './frame/texts.ts';
import { useServerInfo } from './frame/use-server-info.ts';

/** Shown if nobody can sign in, or after an unknown error (spec 2). */
function ErrorScreen() {
  const t = useText();
  const methods = useServerInfo()?.signIn;
  const hasNoMethod = methods && !methods.password && !methods.google && !methods.token;
  return (
    <LoginFrame>
      <Notice
        title={t(hasNoMethod ? 'error.title' : 'error.unknown')}
        actions={
          <Button tone="primary" className="h-8" autoFocus onClick={() => window.location.assign('/')}>
            {t('tryAgain')}
          </Button>
        }
      >
        <p>{t(hasNoMethod ? 'error.noMethod' : 'error.unknownHint')}</p>
      </Notice>
    </LoginFrame>
  );
}

export const lazyError = createLazyRoute('/error')({ component: ErrorScreen });
