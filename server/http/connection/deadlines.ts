/** The longest possible timer in milliseconds, about 24 days. A longer timer would fire immediately. */
const MAX_TIMER = 2 ** 31 - 1;

const HOUR = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { H: HOUR, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Removes deadlines beyond the longest timer because no call can reach them. Clients express "no deadline" as hundreds
 * of years, such as `2562047H`.
 */
export function removeDistantDeadlines(header: Headers): void {
  const [, amount, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(header.get('grpc-timeout') ?? '') ?? [];
  if (Number(amount) * (UNIT_MS[unit] ?? 0) > MAX_TIMER) header.delete('grpc-timeout');
  const [connectTimeout] = /^\d{1,10}$/.exec(header.get('connect-timeout-ms') ?? '') ?? [];
  if (Number(connectTimeout) > MAX_TIMER) header.delete('connect-timeout-ms');
}
