import { useNavigate, useSearch } from '@tanstack/react-router';

import { safeRedirect } from '#src/address/redirect.ts';
import { SecondFactorRequiredError } from '#src/auth/account.ts';

/** Navigates to the destination; the guard redirects to any remaining steps first. */
export function useContinue(): () => Promise<void> {
  const navigate = useNavigate();
  const { redirect, organization } = useSearch({ strict: false });
  return () => navigate({ href: safeRedirect(redirect, organization) });
}

/** Signs in and continues, to the second factor if required. */
export function useSignIn(): (signIn: () => Promise<void>) => Promise<void> {
  const navigate = useNavigate();
  const proceed = useContinue();
  return async (signIn) => {
    try {
      await signIn();
    } catch (error) {
      if (!(error instanceof SecondFactorRequiredError)) throw error;
      await navigate({ to: '/login/mfa', search: (previous) => previous });
      return;
    }
    await proceed();
  };
}
