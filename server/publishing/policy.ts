const MINUTE = 60;
const hour = 60 * MINUTE;

/** What failures do to a publisher and to what waits for it. */
export interface Policy {
  /** Seconds to wait after the first, second … failure in a row; the last step repeats. */
  readonly cooldown: readonly number[];
  /** Failures of one delivery after which it loses its place in line and is retried once a day. */
  readonly failuresInLine: number;
  /** Failures after which a delivery is given up. */
  readonly failuresInAll: number;
  /** Milliseconds of failure without one success after which the server disables the publisher. */
  readonly disabledAfter: number;
  /** Seconds between two calls that succeed, for targets that gather what happens meanwhile; none when left out. */
  readonly rest?: number;
}

/** More failures than a delivery can have. */
const NEVER = 2_147_483_647;

/** Of what only ever fails through a fault of ours: tried again and again, and nobody else is told. */
export const untilItSucceeds = (seconds: number): Policy => ({
  cooldown: [seconds],
  failuresInLine: NEVER,
  failuresInAll: NEVER,
  disabledAfter: Number.POSITIVE_INFINITY,
});

/** Of webhooks, Slack and MQTT alike (contract: Cooldown, Retries). */
export const contractPolicy: Policy = {
  cooldown: [
    1 * MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    1 * hour,
    3 * hour,
    6 * hour,
    12 * hour,
    24 * hour,
  ],
  failuresInLine: 10,
  failuresInAll: 20,
  // Not stated, chosen here.
  disabledAfter: 3 * 24 * hour * 1000,
};

/** What a failure does to a publisher at cooldown step `step` (0: not failing) at the moment `now`. */
export function stepUp({ cooldown }: Policy, step: number, now: Date): { step: number; until: Date } {
  const next = Math.min(step + 1, cooldown.length);
  return { step: next, until: new Date(now.getTime() + (cooldown[next - 1] ?? 0) * 1000) };
}
