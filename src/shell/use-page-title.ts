import { useEffect } from 'react';

import type { Acting } from '#src/state/acting.ts';

/** Sets the page title to the product name. For customer support, adds the organization's name (spec 2). */
export function usePageTitle(acting: Acting | undefined): void {
  const isSupport = acting?.actor.abilities.has('CUSTOMER_SUPPORT') ?? false;
  const name = acting?.organization.name;
  useEffect(() => {
    document.title = isSupport && name ? `Quarterdeck - ${name}` : 'Quarterdeck';
  }, [isSupport, name]);
}
