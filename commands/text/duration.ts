const UNITS = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 } as const;
type Unit = keyof typeof UNITS;

/** `15m`, `1h15m30s`, `2d`, and the long forms: `1 day`, `3 hours 10 minutes`. No letter may follow a unit. */
const PART = /^(\d+(?:\.\d+)?)\s*(?:(w|d|h|m|s)(?![a-z])|(week|day|hour|hr|minute|min|second|sec)s?(?![a-z]))\s*/i;

/** Parses a duration into seconds, which are negative after a leading `-`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const sign = trimmed.startsWith('-') ? -1 : 1;
  let remaining = trimmed.replace(/^[-+]\s*/, '');
  if (remaining === '') return undefined;
  if (/^0+$/.test(remaining)) return 0;
  let seconds = 0;
  while (remaining !== '') {
    const part = PART.exec(remaining);
    if (!part) return undefined;
    const unit = (part[2] ?? part[3])?.[0]?.toLowerCase() as Unit;
    seconds += Number(part[1]) * UNITS[unit];
    remaining = remaining.slice(part[0].length);
  }
  return sign * seconds || 0;
}

/**
 * Returns the canonical text of a duration in seconds: the largest units first, without zero units (`1h15m30s`, `2d`,
 * `0s`).
 */
export function printDuration(seconds: number): string {
  if (!Number.isSafeInteger(seconds)) return `${seconds}s`;
  if (seconds === 0) return '0s';
  let remaining = Math.abs(seconds);
  let text = seconds < 0 ? '-' : '';
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const amount = Math.floor(remaining / UNITS[unit]);
    if (amount > 0) text += `${amount}${unit}`;
    remaining -= amount * UNITS[unit];
  }
  return text;
}

/**
 * Returns the durations that other text probably means: `3600` (`3600s`), `1:30` (`1h30m`), `1h15` (`1h15m`), `1 hour
 * and 5 minutes`. Empty if nothing is close.
 */
export function nearDurations(text: string): readonly string[] {
  const typed = text.trim().toLowerCase();
  const number = /^(\d{1,9})$/.exec(typed)?.[1];
  if (number !== undefined) {
    // A large number is most likely in seconds; a small one could be in minutes.
    if (Number(number) < UNITS.m) return [`${Number(number)}m`, `${Number(number)}s`];
    return [...new Set([printDuration(Number(number)), `${Number(number)}s`])];
  }
  const [, hours, minutes, seconds = '0'] = /^(\d{1,3}):(\d\d)(?::(\d\d))?$/.exec(typed) ?? [];
  const rewritten =
    hours === undefined
      ? typed
          .replace(/(\d),(\d)/g, '$1.$2')
          .replace(/\band\b|[,.](?!\d)/g, ' ')
          .replace(/([hm])\s*(\d+)$/, followingUnit)
      : `${hours}h${minutes}m${seconds}s`;
  const value = parseDuration(rewritten);
  return value === undefined ? [] : [printDuration(value)];
}

/** Completes `1h15` and `1m30` with the next smaller unit. */
const followingUnit = (_match: string, unit: string, amount: string): string =>
  `${unit}${amount}${unit === 'h' ? 'm' : 's'}`;
