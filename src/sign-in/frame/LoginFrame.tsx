import { useEffect, type ReactNode } from 'react';

import { reportFirstScreen } from '#src/state/first-screen.ts';
import { Logo } from '#src/ui/Logo.tsx';

import { Backdrop } from './backdrop/Backdrop.tsx';

/** The frame of the sign-in screens: a single column, next to a picture if there is room. */
export function LoginFrame({ children }: { readonly children: ReactNode }) {
  useEffect(reportFirstScreen, []);
  return (
    <div className="flex h-dvh bg-surface-0 text-body text-ink-1">
      <main className="w-full overflow-y-auto bg-surface-1 md:w-[440px] md:shrink-0 md:border-r md:border-line">
        <div className="mx-auto flex min-h-full w-full max-w-[388px] flex-col px-6">
          <div className="flex items-center gap-2.5 pt-6 text-title font-semibold">
            <Logo size={22} />
            Quarterdeck
          </div>
          <div className="pt-[max(40px,14vh)] pb-10">{children}</div>
        </div>
      </main>
      <Backdrop />
    </div>
  );
}
