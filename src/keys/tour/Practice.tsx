import { useText } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { HealthMark } from '#src/ui/HealthMark.tsx';
import { Kbd } from '#src/ui/Kbd.tsx';

import type { StepName } from './steps.ts';

interface PracticeProps {
  /** The completed steps, whose effect the picture shows. */
  readonly completedSteps: ReadonlySet<StepName>;
  /** The keys of all steps, for the list that `help` opens. */
  readonly keys: readonly string[];
  /** The name of the screen that `go` opens. */
  readonly screen: string;
}

/** Fictional devices. */
const ROWS = [
  { number: '831C 16AA', name: 'Avocet 3', level: 'OK' },
  { number: 'CFC3 C7B6', name: 'Merlin 8', level: 'ERROR' },
  { number: '5D0E 9912', name: 'Curlew 12', level: 'OK' },
  { number: 'A381 1C9D', name: 'Bittern 5', level: 'WARNING' },
  { number: '77F2 04E1', name: 'Dunlin 1', level: 'OK' },
] as const;

/**
 * A small picture of the console that reacts to the keys. It is decorative, because the steps have the same content as
 * text.
 */
export function Practice({ completedSteps, keys, screen }: PracticeProps) {
  const t = useText('help');
  const label = (name: string): string => t(`tour.practice.${name}`);
  const active = completedSteps.has('next') ? 1 : 0;
  const layer = completedSteps.has('help') ? 'help' : completedSteps.has('palette') ? 'palette' : undefined;
  return (
    <div
      aria-hidden
      className="relative grid h-60 grid-cols-[28px_minmax(0,1fr)] overflow-hidden rounded-field border border-line bg-surface-0 text-label"
    >
      <div className="grid content-start gap-2 border-r border-line p-2">
        {ROWS.map(({ number }, index) => (
          <span
            key={number}
            className={cx('h-1.5 rounded-full', completedSteps.has('go') && index === 0 ? 'bg-accent' : 'bg-surface-3')}
          />
        ))}
      </div>
      <div className="flex min-w-0 flex-col">
        <div className="flex h-7 shrink-0 items-center gap-2 border-b border-line px-2 text-ink-2">
          <span className={cx('truncate', completedSteps.has('go') && 'font-semibold text-ink-1')}>
            {completedSteps.has('go') ? screen : label('screen')}
          </span>
        </div>
        <div className="min-h-0 flex-1">
          {ROWS.map(({ number, name, level }, index) => {
            const isActive = index === active;
            const isSelected = isActive && completedSteps.has('select');
            return (
              <div
                key={number}
                className={cx(
                  'flex h-7 items-center gap-2 border-b border-line px-2',
                  isActive ? 'bg-surface-3 shadow-[inset_2px_0_0_var(--accent)]' : 'text-ink-2',
                )}
              >
                <span
                  className={cx(
                    'size-3 shrink-0 rounded-[3px] border',
                    isSelected ? 'border-accent bg-accent' : 'border-line-strong',
                  )}
                />
                <HealthMark level={level} />
                <span className="type-mono whitespace-nowrap">{number}</span>
                <span className="truncate">{name}</span>
              </div>
            );
          })}
        </div>
        <div className="flex h-6 shrink-0 items-center gap-2 border-t border-line bg-surface-1 px-2 text-ink-3">
          {completedSteps.has('select') && (
            <span className="rounded-chip bg-accent px-1.5 font-mono font-semibold text-on-accent">
              → {label('selected')}
            </span>
          )}
        </div>
      </div>
      {layer && (
        <div className="absolute inset-x-8 top-6 animate-appear overflow-hidden rounded-overlay border border-line bg-surface-1 shadow-overlay">
          {layer === 'palette' ? (
            <>
              <p className="border-b border-line px-3 py-2 text-ink-3">{label('search')}</p>
              {ROWS.slice(1, 4).map(({ number, name }, index) => (
                <p key={number} className={cx('flex gap-2 px-3 py-1.5', index === 0 && 'bg-surface-3')}>
                  <span className="type-mono">{number}</span> {name}
                </p>
              ))}
            </>
          ) : (
            keys.map((sequence) => (
              <p key={sequence} className="flex items-center gap-2 px-3 py-1.5">
                <span className="h-1.5 min-w-8 flex-1 rounded-full bg-surface-3" />
                <Kbd framed wraps keys={sequence} />
              </p>
            ))
          )}
        </div>
      )}
    </div>
  );
}
