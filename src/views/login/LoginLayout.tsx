import { createLazyRoute, Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';

import { firstScreenShown } from '../../state/first-screen.ts';
import { Logo } from '../../shell/Logo.tsx';

/** The frame of the sign-in screens. */
export function LoginLayout() {
  useEffect(firstScreenShown, []);
  return (
    <main className="flex min-h-dvh items-center justify-center bg-surface-0 p-6 text-body text-ink-1">
      <div className="w-full max-w-[340px]">
        <div className="flex items-center gap-2.5 pb-6 text-title font-semibold">
          <Logo size={22} />
          Quarterdeck
        </div>
        <Outlet />
      </div>
    </main>
  );
}

export const lazyLogin = createLazyRoute('/login')({ component: LoginLayout });
