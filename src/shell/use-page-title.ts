import { useEffect } from 'react';

import type { Acting } from '#src/state/acting.ts';

/** The product's name; with the organization's appended only for customer support (spec 2). */
export function usePageTitle(acting: Acting | undefined): void {
  const support = acting?.actor.abilities.has('CUSTOMER_SUPPORT') ?? false;
  const name = acting?.organization.name;
  useEffect(() => {
    document.title = support && name ? `Quarterdeck - ${name}` : 'Quarterdeck';
  }, [support, name]);
}
