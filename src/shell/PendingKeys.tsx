import { commandLabels, type CommandMetadata } from '#commands/model/command.ts';
import { availability } from '#commands/run/availability.ts';
import { useTranslate } from '#src/i18n/i18n.ts';
import type { PendingSequence } from '#src/keys/pending.ts';
import { useCommandContext } from '#src/run/use-context.ts';
import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';

export interface PendingKeysProps {
  readonly pending: PendingSequence;
}

/** The number of rows before the list adds a column. */
const MIN_ROWS = 8;
/** The number of columns before the list adds rows, chosen so that the keys of all screens fit a small window. */
const MAX_COLUMNS = 4;

/**
 * Shows the pending key sequence. After a pause, also lists its continuations above the status line, where there is
 * room for all of them.
 */
export function PendingKeys({ pending: { typed, continuations } }: PendingKeysProps) {
  const translate = useTranslate();
  const context = useCommandContext();
  const canRun = (command: CommandMetadata): boolean => context !== undefined && availability(command, context).ok;
  // Like the rail, omits screens that the user can't open.
  const visibleContinuations = continuations.filter(({ command }) => command.effect !== 'navigate' || canRun(command));
  const rowCount = Math.max(MIN_ROWS, Math.ceil(visibleContinuations.length / MAX_COLUMNS));
  return (
    <span role="status" className="whitespace-nowrap">
      <kbd className="font-mono text-ink-1">{typed}…</kbd>
      {visibleContinuations.length > 0 && (
        <ul
          style={{ gridTemplateRows: `repeat(${rowCount}, 24px)` }}
          className="pointer-events-none fixed bottom-[calc(var(--size-status)+8px)] left-2 z-40 grid animate-appear grid-flow-col gap-x-6 rounded-overlay bg-surface-1 px-4 py-3 text-body text-ink-1 shadow-overlay"
        >
          {visibleContinuations.map(({ remaining, command }) => (
            <li key={command.id} className={cx('flex items-center gap-2.5', !canRun(command) && 'text-ink-3')}>
              <span className="min-w-7 shrink-0 text-right">
                <Kbd framed spoken keys={remaining} />
              </span>
              {translate(commandLabels.title(command))}
            </li>
          ))}
        </ul>
      )}
    </span>
  );
}
