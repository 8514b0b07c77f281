import { texts } from '#commands/model/command.ts';
import { useSay } from '#src/i18n/i18n.ts';
import type { PendingSequence } from '#src/keys/pending.ts';
import { Kbd } from '#src/ui/Kbd.tsx';

export interface PendingKeysProps {
  readonly pending: PendingSequence;
}

/** The pending key sequence; after a pause, also its continuations, above the status line where all of them fit. */
export function PendingKeys({ pending: { typed, continuations } }: PendingKeysProps) {
  const say = useSay();
  return (
    <span role="status" className="whitespace-nowrap">
      <kbd className="font-mono text-ink-1">{typed}…</kbd>
      {continuations.length > 0 && (
        <ul className="pointer-events-none fixed bottom-[calc(var(--size-status)+8px)] left-2 z-40 grid animate-appear grid-flow-col grid-rows-[repeat(8,24px)] gap-x-6 rounded-overlay bg-surface-1 px-4 py-3 text-body text-ink-1 shadow-overlay">
          {continuations.map(({ remaining, command }) => (
            <li key={command.id} className="flex items-center gap-2.5">
              <span className="w-7 shrink-0 text-right">
                <Kbd framed keys={remaining} />
              </span>
              {say(texts.title(command))}
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}
