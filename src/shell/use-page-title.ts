import { useEffect } from 'react';

import type { UserSession } from '#src/state/user-session.ts';

/** Sets the page title to the product name. For customer support, adds the organization's name (spec 2). */
export function usePageTitle(session: UserSession | undefined): void {
  const isSupport = session?.actor.abilities.has('CUSTOMER_SUPPORT') ?? false;
  const name = session?.organization.name;
  useEffect(() => {
    document.title = isSupport && name ? `Quarterdeck - ${name}` : 'Quarterdeck';
  }, [isSupport, name]);
}
