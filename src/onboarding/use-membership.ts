import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useEffect, useState } from 'react';

import { currentUser } from '#commands/nouns/self/me/settings.ts';

import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';
import type { Search } from '#src/address/address.ts';
import { enterOrganization } from '#src/acting/organization.ts';
import { safeRedirect } from '#src/address/redirect.ts';
import { actingAtom } from '#src/state/acting.ts';

/** How often it is asked whether an administrator has let the person in, ms. */
const ASK_MS = 15_000;

/**
 * What the person is waiting for. Somebody who came without an organization goes on into the console, to where they
 * were heading, as soon as one has them.
 */
export function useMembership() {
  const acting = useAtomValue(actingAtom);
  const navigate = useNavigate();
  const { redirect, organization }: Search = useSearch({ strict: false });
  const answer = useQuery({
    queryKey: keyOf(acting?.organization.id ?? '', 'me', 'membership'),
    queryFn: () => currentUser(contextNow()),
    enabled: acting !== undefined,
    refetchInterval: ASK_MS,
  });
  const [waits] = useState(acting?.actor.home === '');
  const joined = (answer.data?.organizations.length ?? 0) > 0 || acting?.actor.home !== '';
  useEffect(() => {
    if (!waits || !joined) return;
    // Who they were, without an organization, is out of date: the guard asks anew.
    enterOrganization(undefined);
    void navigate({ href: safeRedirect(redirect, organization) });
  }, [waits, joined, navigate, redirect, organization]);
  return { waits, answer };
}
