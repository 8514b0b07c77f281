import { useId, type ReactNode } from 'react';

import { cx } from './cx.ts';

interface DisclosureProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** Always visible. Pressing it expands or collapses the rest. */
  readonly head: ReactNode;
  readonly children: ReactNode;
}

/** A row that expands to its full content. */
export function Disclosure({ open, onOpenChange: onOpen, head, children }: DisclosureProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        data-row-head=""
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => onOpen(!open)}
        className={cx(
          'row-cells w-full px-4 text-left hover:bg-surface-2 focus-visible:-outline-offset-2',
          open && 'bg-surface-2',
        )}
      >
        {head}
      </button>
      {open && <div id={id}>{children}</div>}
    </>
  );
}
