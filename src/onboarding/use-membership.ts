import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';

import { loadCurrentUser } from '#commands/nouns/self/me/settings.ts';
import type { Search } from '#src/address/address.ts';
import { safeRedirect } from '#src/address/redirect.ts';
import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';
import { enterOrganization } from '#src/session/organization.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

/** How often to poll for an administrator's decision, in ms. */
const POLL_MS = 15_000;

/**
 * Polls the user's pending memberships. A user who arrived without an organization continues to their destination in
 * the console as soon as an organization has accepted them.
 */
export function useMembership() {
  const session = useAtomValue(userSessionAtom);
  const navigate = useNavigate();
  const { redirect, organization }: Search = useSearch({ strict: false });
  const membership = useQuery({
    queryKey: keyOf(session?.organization.id ?? '', 'me', 'membership'),
    queryFn: () => loadCurrentUser(contextNow()),
    enabled: session !== undefined,
    refetchInterval: POLL_MS,
  });
  const [isNewcomer] = useState(session?.actor.home === '');
  const hasJoined = (membership.data?.organizations.length ?? 0) > 0 || session?.actor.home !== '';
  useEffect(() => {
    if (!isNewcomer || !hasJoined) return;
    // The user's data, without an organization, is stale. The guard reloads it.
    enterOrganization(undefined);
    void navigate({ href: safeRedirect(redirect, organization) });
  }, [isNewcomer, hasJoined, navigate, redirect, organization]);
  return { isNewcomer, membership };
}
