import { useNavigate, useSearch } from '@tanstack/react-router';

import { safeRedirect } from '#src/address/redirect.ts';
import { SecondFactorRequiredError } from '#src/auth/account.ts';

/**
 * Returns a function that navigates to the destination. The guard first redirects to any remaining steps. Replaces the
 * current step, so that going back from the destination leads to no step that is complete.
 */
export function useContinue(): () => Promise<void> {
  const navigate = useNavigate();
  const { redirect, organization } = useSearch({ strict: false });
  return () => navigate({ href: safeRedirect(redirect, organization), replace: true });
}

/**
 * Returns a function that signs in, and then continues to the second factor if required, or else to the destination.
 */
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
