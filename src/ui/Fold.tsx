import { ChevronRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';

import { cx } from './cx.ts';

interface FoldProps {
  readonly title: string;
  /** Number of hidden entries. */
  readonly count: number;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A rarely needed part of a page. Its heading expands it. */
export function Fold({ title, count, open, onOpen, className, children }: FoldProps) {
  const id = useId();
  return (
    <section className={className}>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => onOpen(!open)}
          className="-ml-1 flex h-9 items-center gap-1 rounded-chip pr-2 pl-0.5 text-label font-medium text-ink-2 hover:text-ink-1 focus-visible:-outline-offset-2"
        >
          <ChevronRight aria-hidden className={cx('size-3.5 text-ink-3', open && 'rotate-90')} />
          {title}
          <span className="font-normal text-ink-3">{count}</span>
        </button>
      </h3>
      {open && <div id={id}>{children}</div>}
    </section>
  );
}
