import type { ReactNode } from 'react';

/** The title of a sign-in screen, with a short explanation. */
export function Heading({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <header className="flex flex-col gap-1.5">
      <h1 className="text-title font-semibold">{title}</h1>
      {children && <div className="wrap-anywhere text-ink-2 empty:hidden">{children}</div>}
    </header>
  );
}
