/** A bearer token renewed within this time, in ms, cannot have been rejected because of its age. */
const FRESH_MS = 60_000;

/**
 * Creates a function that returns true if a rejected call should be retried because its bearer token had expired (or
 * clocks differ) and a newer token is available. Calls rejected at the same time share one renewal.
 *
 * @param bearer `bearer(true)` requests a fresh token from the identity provider
 */
export function createTokenRenewal(
  bearer: (forceRefresh: boolean) => Promise<string | undefined>,
  now: () => number = Date.now,
): (rejectedToken: string) => Promise<boolean> {
  let last: { readonly token: string | undefined; readonly time: number } | undefined;
  let renewing: Promise<string | undefined> | undefined;

  const renew = async (): Promise<string | undefined> => {
    try {
      const token = await bearer(true);
      last = { token, time: now() };
      return token;
    } finally {
      renewing = undefined;
    }
  };

  return async (rejectedToken) => {
    if (last?.token === rejectedToken && now() - last.time < FRESH_MS) return false;
    const current = renewing ? await renewing : await bearer(false);
    if (current !== rejectedToken) return current !== undefined;
    const freshToken = await (renewing ??= renew());
    return freshToken !== undefined && freshToken !== rejectedToken;
  };
}
