import type { ReactNode } from 'react';

import { useFocusHere } from '#src/ui/use-focus-here.ts';
import { Heading } from './Heading.tsx';

interface NoticeProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly ways?: ReactNode;
}

/**
 * A screen that says how something went. It takes the focus as it appears, so that it is read out and the next Tab
 * finds the way on; a button that asks for the focus gets it instead.
 */
export function Notice({ title, children, actions, ways }: NoticeProps) {
  const ref = useFocusHere();
  return (
    <section ref={ref} tabIndex={-1} aria-label={title} className="flex flex-col gap-3.5 outline-none">
      <Heading title={title}>
        <div role="status" className="flex flex-col gap-2">
          {children}
        </div>
      </Heading>
      {actions && <div className="flex flex-col gap-2">{actions}</div>}
      {ways}
    </section>
  );
}
