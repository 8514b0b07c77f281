const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Formats an age, such as "30 h 58 m", "58 m", or "12 s". Doesn't convert hours to days, because ages in a column are
 * easier to compare in one unit. Omits the minutes from 100 h on.
 */
export function formatAge(ms: number): string {
  const elapsed = Math.max(0, ms);
  if (elapsed < MINUTE) return `${Math.floor(elapsed / 1000)} s`;
  const hours = Math.floor(elapsed / HOUR);
  const minutes = Math.floor((elapsed % HOUR) / MINUTE);
  if (hours === 0) return `${minutes} m`;
  if (hours >= 100) return `${hours} h`;
  return `${hours} h ${String(minutes).padStart(2, '0')} m`;
}
