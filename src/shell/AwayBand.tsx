import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';

import { API_URL } from '#src/net/config.ts';
import { useText } from '#src/i18n/i18n.ts';
import { awayAtom } from '#src/state/connection.ts';

/** While the server cannot be reached: that what is shown is old, and when it is tried next. */
export function AwayBand() {
  const text = useText();
  const away = useAtomValue(awayAtom);
  if (!away) return null;
  return (
    <aside className="flex h-8 shrink-0 items-center gap-3 overflow-hidden border-b border-health-warning bg-surface-2 px-3 text-label whitespace-nowrap text-ink-1">
      <strong role="alert" className="shrink-0 font-semibold text-warning-text">
        {text('away.title', { host: new URL(API_URL).host })}
      </strong>
      <span className="min-w-0 truncate text-ink-2">{text('away.hint')}</span>
      <span className="flex-1" />
      {away.nextTry === undefined ? (
        <span>{text('away.trying')}</span>
      ) : (
        <NextTry key={away.nextTry} at={away.nextTry} />
      )}
    </aside>
  );
}

function NextTry({ at }: { readonly at: number }) {
  const text = useText();
  const left = (): number => Math.max(1, Math.ceil((at - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.max(1, Math.ceil((at - Date.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [at]);
  return <span className="tabular-nums">{text('away.next', { seconds })}</span>;
}
