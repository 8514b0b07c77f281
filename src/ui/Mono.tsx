import type { ReactNode } from 'react';

import { cx } from './cx.ts';

/** Numbers, lines and identifiers in the code face. */
export function Mono({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={cx('type-mono', className)}>{children}</span>;
}
