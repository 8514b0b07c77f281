import type { ReactNode } from 'react';

import { useFocusOnMount } from '#src/ui/use-focus-on-mount.ts';

import { Heading } from './Heading.tsx';

interface NoticeProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly links?: ReactNode;
}

/**
 * A screen that reports a result. Takes focus on mount, so screen readers announce it and Tab moves to its first
 * action. A button with `autoFocus` takes focus instead.
 */
export function Notice({ title, children, actions, links }: NoticeProps) {
  const ref = useFocusOnMount();
  return (
    <section ref={ref} tabIndex={-1} aria-label={title} className="flex flex-col gap-3.5 outline-none">
      <Heading title={title}>
        <div role="status" className="flex flex-col gap-2">
          {children}
        </div>
      </Heading>
      {actions && <div className="flex flex-col gap-2">{actions}</div>}
      {links}
    </section>
  );
}
