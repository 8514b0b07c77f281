import { createLazyRoute, Outlet } from '@tanstack/react-router';

import { LoginFrame } from './LoginFrame.tsx';

/** The sign-in screens, in their frame. */
export function LoginLayout() {
  return (
    <LoginFrame>
      <Outlet />
    </LoginFrame>
  );
}

export const lazyLogin = createLazyRoute('/login')({ component: LoginLayout });
