import { listDestinations } from '#commands/registry/destinations.ts';

import type { CommandListing } from './command-rows.ts';
import type { SearchRow } from './search-rows.ts';

/** Returns the row for a pasted URL, which opens a URL of this console, or explains why it can't be opened. */
export function addressRow(address: URL, { registry, context, t }: CommandListing): SearchRow {
  const path = `${address.pathname}${address.search}`;
  const row: SearchRow = {
    id: 'address',
    label: t('palette.address', { address: path }),
    invocation: { id: 'app.go', args: { address: path } },
  };
  const currentUrl = context.host.link?.current();
  if (currentUrl !== undefined && new URL(currentUrl).origin !== address.origin) {
    return { ...row, reason: t('palette.otherConsole', { host: address.host }) };
  }
  const exists = listDestinations(registry).some(({ screen: { path: screenPath, aliases = [] } }) =>
    [screenPath, ...aliases].some((value) => address.pathname === value || address.pathname.startsWith(`${value}/`)),
  );
  return exists || address.pathname === '/'
    ? row
    : { ...row, reason: t('palette.noScreen', { path: address.pathname }) };
}
