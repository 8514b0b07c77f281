const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** The effect of failures on a publisher and its outbox. */
export interface Policy {
  /** Seconds to wait after the first, second … consecutive failure; the last step repeats. */
  readonly cooldown: readonly number[];
  /** The number of failures after which a delivery loses its place in line and is retried once a day. */
  readonly failuresInLine: number;
  /** The number of failures after which a delivery is dropped. */
  readonly failuresInAll: number;
  /** Milliseconds of failing without a success after which the server disables the publisher. */
  readonly disabledAfter: number;
  /**
   * Seconds between two successful calls, for targets that collect events in the meantime; optional, none by default.
   */
  readonly pauseAfterSuccess?: number;
}

/** More failures than any delivery can have. */
const NEVER = 2_147_483_647;

/** Returns the policy of a target that only fails through a bug of ours: it retries without end and notifies nobody. */
export const retryForever = (seconds: number): Policy => ({
  cooldown: [seconds],
  failuresInLine: NEVER,
  failuresInAll: NEVER,
  disabledAfter: Number.POSITIVE_INFINITY,
});

/** The policy of webhooks, Slack and MQTT (contract: Cooldown, Retries). */
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
  failuresInLine: 10,
  failuresInAll: 20,
  // Not stated, our choice.
  disabledAfter: 3 * 24 * HOUR * 1000,
};

/** Returns the effect of a failure at time `now` on a publisher at cooldown step `step` (0 means not failing). */
export function stepUp({ cooldown }: Policy, step: number, now: Date): { step: number; until: Date } {
  const next = Math.min(step + 1, cooldown.length);
  return { step: next, until: new Date(now.getTime() + (cooldown[next - 1] ?? 0) * 1000) };
}
