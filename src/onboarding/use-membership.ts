import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';

import { currentUser } from '#commands/nouns/self/me/settings.ts';
import { enterOrganization } from '#src/acting/organization.ts';
import type { Search } from '#src/address/address.ts';
import { safeRedirect } from '#src/address/redirect.ts';
import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';
import { actingAtom } from '#src/state/acting.ts';

/** Polling interval in ms for an administrator's decision. */
const POLL_MS = 15_000;

/**
 * Polls the user's pending memberships. A user who arrived without an organization continues to their destination in
 * the console as soon as an organization has accepted them.
 */
export function useMembership() {
  const acting = useAtomValue(actingAtom);
  const navigate = useNavigate();
  const { redirect, organization }: Search = useSearch({ strict: false });
  const membership = useQuery({
    queryKey: keyOf(acting?.organization.id ?? '', 'me', 'membership'),
    queryFn: () => currentUser(contextNow()),
    enabled: acting !== undefined,
    refetchInterval: POLL_MS,
  });
  const [isNewcomer] = useState(acting?.actor.home === '');
  const hasJoined = (membership.data?.organizations.length ?? 0) > 0 || acting?.actor.home !== '';
  useEffect(() => {
    if (!isNewcomer || !hasJoined) return;
    // The user's data, without an organization, is stale; the guard reloads it.
    enterOrganization(undefined);
    void navigate({ href: safeRedirect(redirect, organization) });
  }, [isNewcomer, hasJoined, navigate, redirect, organization]);
  return { isNewcomer, membership };
}
