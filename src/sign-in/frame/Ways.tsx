import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The other ways on from a screen, below what it is for. */
export function Ways({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap gap-x-4 gap-y-1 pt-1 text-label">{children}</div>;
}

interface WayProps {
  readonly to: '/' | '/login' | '/login/token' | '/login/create' | '/login/forgot-password';
  readonly children: ReactNode;
}

/** To another screen; the destination is kept. */
export function Way({ to, children }: WayProps) {
  return (
    <Link to={to} search={(previous) => previous} className="text-accent underline-offset-2 hover:underline">
      {children}
    </Link>
  );
}
