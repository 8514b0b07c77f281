import { useNavigate, useSearch } from '@tanstack/react-router';

import { SecondFactorRequired } from '#src/auth/account.ts';
import { safeRedirect } from '#src/address/redirect.ts';

/** Goes where the person was heading; the guard sends them by what is still asked of them first. */
export function useOnward(): () => Promise<void> {
  const navigate = useNavigate();
  const { redirect, organization } = useSearch({ strict: false });
  return () => navigate({ href: safeRedirect(redirect, organization) });
}

/** Signs in and goes on: to the second factor where the sign-in waits for one. */
export function useSignIn(): (signIn: () => Promise<void>) => Promise<void> {
  const navigate = useNavigate();
  const onward = useOnward();
  return async (signIn) => {
    try {
      await signIn();
    } catch (error) {
      if (!(error instanceof SecondFactorRequired)) throw error;
      await navigate({ to: '/login/mfa', search: (previous) => previous });
      return;
    }
    await onward();
  };
}
