import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';

import { useText } from '#src/i18n/i18n.ts';
import { API_URL } from '#src/net/config.ts';
import { outageAtom } from '#src/state/connection.ts';

/** Warns that the server is unreachable and the data may be stale, with a countdown to the next attempt. */
export function UnreachableBanner() {
  const t = useText();
  const outage = useAtomValue(outageAtom);
  if (!outage) return null;
  return (
    <aside className="flex h-8 shrink-0 items-center gap-3 overflow-hidden border-b border-health-warning bg-surface-2 px-3 text-label whitespace-nowrap text-ink-1">
      <strong role="alert" className="shrink-0 font-semibold text-warning-text">
        {t('away.title', { host: new URL(API_URL).host })}
      </strong>
      <span className="min-w-0 truncate text-ink-2">{t('away.hint')}</span>
      <span className="flex-1" />
      {outage.nextAttempt === undefined ? (
        <span>{t('away.trying')}</span>
      ) : (
        <NextAttempt key={outage.nextAttempt} time={outage.nextAttempt} />
      )}
    </aside>
  );
}

const secondsUntil = (time: number): number => Math.max(1, Math.ceil((time - Date.now()) / 1000));

function NextAttempt({ time }: { readonly time: number }) {
  const t = useText();
  const [seconds, setSeconds] = useState(() => secondsUntil(time));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(time)), 500);
    return () => clearInterval(timer);
  }, [time]);
  return <span className="tabular-nums">{t('away.next', { seconds })}</span>;
}
