import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent } from 'react';

import { useOnReconnect } from '#src/data/use-reconnects.ts';
import { useText } from '#src/i18n/i18n.ts';
import { outageAtom } from '#src/state/connection.ts';
import { failedLoadsAtom } from '#src/state/failed-loads.ts';
import { Button } from '#src/ui/Button.tsx';
import { useFailedParts } from '#src/ui/lazy-part.tsx';

/**
 * Reports that a part of the console could not be loaded, and retries when the network or the server is back. Offers to
 * reload the page, because a newer build may no longer contain the part. The page never reloads automatically, because
 * the user would lose typed text and the selection.
 */
export function FailedPartsBanner() {
  const t = useText();
  const outage = useAtomValue(outageAtom);
  const failedParts = useFailedParts();
  const failedLoads = useAtomValue(failedLoadsAtom);
  const retry = (): void => {
    for (const load of [...failedParts, ...failedLoads]) load();
  };
  useOnReconnect(retry);
  const retryLatest = useEffectEvent(retry);
  useEffect(() => {
    const retryOnline = (): void => retryLatest();
    window.addEventListener('online', retryOnline);
    return () => window.removeEventListener('online', retryOnline);
  }, []);
  // During an outage, the banner above explains the problem.
  if (failedParts.length === 0 || outage) return null;
  return (
    <aside className="flex min-h-8 shrink-0 items-center gap-3 border-b border-health-warning bg-surface-2 px-3 py-1 text-label text-ink-1">
      <strong role="alert" className="min-w-0 font-semibold text-warning-text">
        {t('load.failed')}
      </strong>
      <span className="flex-1" />
      <Button onClick={retry}>{t('screen.retry')}</Button>
      <Button onClick={() => window.location.reload()}>{t('load.reload')}</Button>
    </aside>
  );
}
