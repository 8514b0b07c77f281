const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The effect of failures on a publisher and its outbox. */
export interface Policy {
  /** The seconds to wait after the first, second, and later consecutive failures. The last value repeats. */
  readonly cooldown: readonly number[];
  /**
   * The number of failures after which a delivery is postponed. It then no longer blocks later ones, and is retried
   * daily.
   */
  readonly postponeAfter: number;
  /** The number of failures after which a delivery is dropped. */
  readonly dropAfter: number;
  /** The server disables a publisher that has failed for this many milliseconds without a success. */
  readonly disableAfter: number;
  /**
   * The seconds to pause after a successful call, for targets that collect events in the meantime. No pause by default.
   */
  readonly pauseAfterSuccess?: number;
}

/** More failures than any delivery can have. */
const NEVER = 2_147_483_647;

/** Returns the policy for a target that fails only because of our own bugs. It retries forever and notifies nobody. */
export const retryForever = (seconds: number): Policy => ({
  cooldown: [seconds],
  postponeAfter: NEVER,
  dropAfter: NEVER,
  disableAfter: Number.POSITIVE_INFINITY,
});

/** The policy of webhooks, Slack, and MQTT (contract: Cooldown, Retries). */
export const contractPolicy: Policy = {
  cooldown: [
    1 * MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    1 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    24 * HOUR,
  ],
  postponeAfter: 10,
  dropAfter: 20,
  // Not specified in the contract.
  disableAfter: 3 * 24 * HOUR * 1000,
};

/**
 * Returns the next cooldown step and the end of its cooldown, for a publisher at `step` that fails at `now`. Step 0
 * means that the publisher isn't failing.
 */
export function stepUp({ cooldown }: Policy, step: number, now: Date): { step: number; until: Date } {
  const next = Math.min(step + 1, cooldown.length);
  return { step: next, until: new Date(now.getTime() + (cooldown[next - 1] ?? 0) * 1000) };
}
