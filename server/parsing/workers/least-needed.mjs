// @ts-check
/**
 * Returns the key of the account's least recently used entry, for the account with the most entries. An account that
 * adds many entries to a cache therefore displaces only its own. An account is an organization with all its
 * sub-organizations.
 *
 * @param {ReadonlyMap<string, { readonly account: string }>} entries in order of use, most recent last
 * @returns {string | undefined} undefined if there are no entries
 */
export function leastNeeded(entries) {
  const byAccount = /** @type {Map<string, { readonly key: string, count: number }>} */ (new Map());
  for (const [key, { account }] of entries) {
    const first = byAccount.get(account);
    if (first === undefined) byAccount.set(account, { key, count: 1 });
    else first.count += 1;
  }
  let largest = /** @type {{ readonly key: string, readonly count: number } | undefined} */ (undefined);
  for (const candidate of byAccount.values()) if (candidate.count > (largest?.count ?? 0)) largest = candidate;
  return largest?.key;
}
