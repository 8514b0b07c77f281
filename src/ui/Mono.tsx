import type { ReactNode } from 'react';

import { cx } from './cx.ts';

/** Numbers, command lines, and identifiers in the code font. */
export function Mono({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={cx('type-mono', className)}>{children}</span>;
}
