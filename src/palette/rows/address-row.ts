import { destinationsOf } from '#commands/registry/destinations.ts';

import type { CommandListing } from './command-rows.ts';
import type { SearchRow } from './search-rows.ts';

/** The row of a pasted address: goes there where it is one of this console, else says why not. */
export function addressRow(address: URL, { registry, context, text }: CommandListing): SearchRow {
  const path = `${address.pathname}${address.search}`;
  const row: SearchRow = {
    id: 'address',
    label: text('palette.address', { address: path }),
    invocation: { id: 'app.go', args: { address: path } },
  };
  const here = context.host.link?.current();
  if (here !== undefined && new URL(here).origin !== address.origin) {
    return { ...row, reason: text('palette.otherConsole', { host: address.host }) };
  }
  const known = destinationsOf(registry).some(({ screen: { path: at, aliases = [] } }) =>
    [at, ...aliases].some((value) => address.pathname === value || address.pathname.startsWith(`${value}/`)),
  );
  return known || address.pathname === '/'
    ? row
    : { ...row, reason: text('palette.noScreen', { path: address.pathname }) };
}
