const minute = 60;
const hour = 60 * minute;

/** Seconds to wait after the first, second … failure in a row; the last step repeats (contract: Cooldown). */
const waits = [
  1 * minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  1 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
] as const;

/** What a failure does to a publisher at cooldown step `step` (0: not failing) at the moment `now`. */
export function stepUp(step: number, now: Date): { step: number; until: Date } {
  const next = Math.min(step + 1, waits.length);
  return { step: next, until: new Date(now.getTime() + (waits[next - 1] ?? 24 * hour) * 1000) };
}
