import type { ReactNode } from 'react';

interface StateMessageProps {
  readonly title: string;
  /** An explanation, or what to do. */
  readonly children?: ReactNode;
  /** Buttons, each with its key. */
  readonly actions?: ReactNode;
  /** True to announce it immediately (an error) instead of politely. */
  readonly urgent?: boolean;
}

/** A message in place of content, for example if a list is empty, failed to load, or is forbidden. */
export function StateMessage({ title, children, actions, urgent = false }: StateMessageProps) {
  return (
    <div
      role={urgent ? 'alert' : 'status'}
      className="flex h-full flex-col items-center justify-center gap-2 p-8 text-center"
    >
      <p className="text-title font-semibold text-ink-1">{title}</p>
      {children && <div className="max-w-md text-ink-2">{children}</div>}
      {actions && <div className="mt-2 flex max-w-full flex-wrap items-center justify-center gap-2">{actions}</div>}
    </div>
  );
}
