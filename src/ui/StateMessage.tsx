import type { ReactNode } from 'react';

interface StateMessageProps {
  readonly title: string;
  /** What it means or what to do about it. */
  readonly children?: ReactNode;
  /** Buttons; each shows its key. */
  readonly actions?: ReactNode;
  /** Announced at once (an error), or politely. */
  readonly urgent?: boolean;
}

/** What stands where content would: nothing here, failed, forbidden, offline. */
export function StateMessage({ title, children, actions, urgent = false }: StateMessageProps) {
  return (
    <div
      role={urgent ? 'alert' : 'status'}
      className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center"
    >
      <p className="text-title font-semibold text-ink-1">{title}</p>
      {children && <div className="max-w-md text-ink-2">{children}</div>}
      {actions && <div className="mt-2 flex flex-wrap items-center justify-center gap-2">{actions}</div>}
    </div>
  );
}
