const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOURS_WITHOUT_MINUTES = 100;

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
  if (hours >= HOURS_WITHOUT_MINUTES) return `${hours} h`;
  return `${hours} h ${String(minutes).padStart(2, '0')} m`;
}

/** Formats an age within a text, where it is not compared with others: in days from 100 h on, such as "331 d". */
export function formatAgeInText(ms: number): string {
  const hours = Math.floor(ms / HOUR);
  return hours >= HOURS_WITHOUT_MINUTES ? `${Math.floor(hours / 24)} d` : formatAge(ms);
}
