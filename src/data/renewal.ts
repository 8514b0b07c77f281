/** A bearer that was made afresh and is refused within this long, ms, is not refused for its age. */
const FRESH_MS = 60_000;

/**
 * Whether a call that was refused is worth another try: its bearer was too old, or the clocks differ, and there is
 * another one now. Calls that are refused at the same time share one renewal. `bearer(true)` asks the identity provider
 * for a fresh one.
 */
export function createRenewal(
  bearer: (fresh: boolean) => Promise<string | undefined>,
  now: () => number = Date.now,
): (refused: string) => Promise<boolean> {
  let last: { readonly token: string | undefined; readonly at: number } | undefined;
  let renewing: Promise<string | undefined> | undefined;

  const renew = async (): Promise<string | undefined> => {
    try {
      const token = await bearer(true);
      last = { token, at: now() };
      return token;
    } finally {
      renewing = undefined;
    }
  };

  return async (refused) => {
    if (last?.token === refused && now() - last.at < FRESH_MS) return false;
    const current = renewing ? await renewing : await bearer(false);
    if (current !== refused) return current !== undefined;
    const fresh = await (renewing ??= renew());
    return fresh !== undefined && fresh !== refused;
  };
}
