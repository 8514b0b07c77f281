/** What timers hold, in milliseconds: 24 days. A longer one would go off at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const HOUR = 3_600_000;
const milliseconds: Readonly<Record<string, number>> = { H: HOUR, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Clients say "never" with deadlines in years, such as `2562047H`. No call takes as long as one that timers cannot
 * hold.
 */
export function dropFarDeadline(header: Headers): void {
  const [, amount, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(header.get('grpc-timeout') ?? '') ?? [];
  if (Number(amount) * (milliseconds[unit] ?? 0) > LONGEST_TIMER) header.delete('grpc-timeout');
  const [connect] = /^\d{1,10}$/.exec(header.get('connect-timeout-ms') ?? '') ?? [];
  if (Number(connect) > LONGEST_TIMER) header.delete('connect-timeout-ms');
}
