import { useAtomValue } from 'jotai';

import { texts } from '#commands/core/command';

import { useSay, useText } from '../i18n.ts';
import { Kbd } from '../ui/Kbd.tsx';
import { pendingKeysAtom } from './pending.ts';

/** A key sequence that was begun and, after a short pause, how it may go on: for the status line. */
export function PendingKeys() {
  const say = useSay();
  const text = useText();
  const pending = useAtomValue(pendingKeysAtom);
  if (!pending) return null;
  return (
    <span role="status" className="flex min-w-0 items-center gap-2 whitespace-nowrap">
      <Kbd keys={`${pending.typed}…`} className="text-ink-1" />
      <span className="sr-only">{text('keys.pending', { typed: pending.typed })}</span>
      <span className="truncate">
        {pending.continuations
          .map(({ rest, command }) => `${rest} ${say(texts.title(command)).toLowerCase()}`)
          .join(' · ')}
      </span>
    </span>
  );
}
