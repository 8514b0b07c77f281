import type { ReactNode } from 'react';

import { cx } from '#src/ui/cx.ts';

interface PaneProps {
  readonly title: string;
  readonly note: string;
  readonly aside: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A pane of the bench, with its title above it. */
export function Pane({ title, note, aside, className, children }: PaneProps) {
  return (
    <section
      aria-label={title}
      className={cx(
        'flex min-h-0 min-w-0 flex-col border-r border-line last:border-r-0 @max-[1000px]:nth-2:border-r-0 @max-[1000px]:nth-2:border-b',
        className,
      )}
    >
      <header className="flex h-[30px] shrink-0 items-center gap-2 border-b border-line px-3">
        <h2 className="truncate font-semibold">{title}</h2>
        <span className="truncate text-ink-3">{note}</span>
        <span className="flex-1" />
        <span className="shrink-0 text-label text-ink-3">{aside}</span>
      </header>
      {children}
    </section>
  );
}
