import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Links to alternatives, below the main content. */
export function ScreenLinks({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap gap-x-4 gap-y-1 pt-1 text-label">{children}</div>;
}

interface ScreenLinkProps {
  readonly to: '/' | '/login' | '/login/token' | '/login/create' | '/login/forgot-password';
  readonly children: ReactNode;
}

/** A link to another screen that keeps the destination. */
export function ScreenLink({ to, children }: ScreenLinkProps) {
  return (
    <Link to={to} search={(previous) => previous} className="text-accent underline-offset-2 hover:underline">
      {children}
    </Link>
  );
}
