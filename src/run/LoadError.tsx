import { useSetAtom } from 'jotai';
import { useEffect, useEffectEvent, type ReactNode } from 'react';

import { lookupFailure } from '#src/data/failure.ts';
import { useOnReconnect } from '#src/data/use-reconnects.ts';
import { useTranslate, useText } from '#src/i18n/i18n.ts';
import { failedLoadsAtom } from '#src/state/failed-loads.ts';

import { CommandButton } from './CommandButton.tsx';
import { ScreenMessage } from './ScreenMessage.tsx';

interface LoadErrorProps {
  /** Names what failed, such as "Devices could not be loaded". */
  readonly title: string;
  readonly error: unknown;
  readonly retry: () => void;
  /** Additional buttons next to the retry button. */
  readonly actions?: ReactNode;
}

/**
 * Shows a failed load and the command that retries it, with its key. Retries automatically when the server is reachable
 * again.
 */
export function LoadError({ title, error, retry, actions }: LoadErrorProps) {
  const translate = useTranslate();
  const t = useText();
  const setFailedLoads = useSetAtom(failedLoadsAtom);
  const retryLatest = useEffectEvent(retry);
  useEffect(() => {
    const reload = (): void => retryLatest();
    setFailedLoads((reloads) => [...reloads, reload]);
    return () => setFailedLoads((reloads) => reloads.filter((item) => item !== reload));
  }, [setFailedLoads]);
  useOnReconnect(retry);
  return (
    <ScreenMessage
      urgent
      title={title}
      actions={
        <>
          <CommandButton command="view.refresh">{t('screen.retry')}</CommandButton>
          {actions}
        </>
      }
    >
      {translate(lookupFailure(error))}
    </ScreenMessage>
  );
}
