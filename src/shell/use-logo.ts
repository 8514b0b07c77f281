import { useQuery } from '@tanstack/react-query';

import { logoOf } from '#commands/nouns/people/organization/logo.ts';

import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';
import { firstScreen } from '#src/state/first-screen.ts';

/**
 * The logo of the organization that is acted for, once the first screen is there; undefined until then, and without
 * one.
 */
export function useLogo(organization: string): string | undefined {
  const { data } = useQuery({
    queryKey: keyOf(organization, 'organization', 'logo'),
    queryFn: async ({ signal }) => {
      await firstScreen;
      // What is kept of a query may not be undefined.
      return (await logoOf(contextNow({ signal }), organization)) ?? null;
    },
    enabled: organization !== '',
    staleTime: Infinity,
  });
  return data ?? undefined;
}
