import { useQuery } from '@tanstack/react-query';

import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';
import { firstScreen } from '#src/state/first-screen.ts';

/**
 * Returns the current organization's logo, which loads after the first screen. Returns undefined until then, or if
 * there is no logo.
 */
export function useLogo(organization: string): string | undefined {
  const { data } = useQuery({
    queryKey: keyOf(organization, 'organization', 'logo'),
    queryFn: async ({ signal }) => {
      await firstScreen;
      const { loadLogo } = await import('#commands/nouns/people/organization/logo.ts');
      // A query's cached data must not be undefined.
      return (await loadLogo(contextNow({ signal }), organization)) ?? null;
    },
    enabled: organization !== '',
    staleTime: Infinity,
  });
  return data ?? undefined;
}
