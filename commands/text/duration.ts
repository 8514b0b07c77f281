const UNITS = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 } as const;
type Unit = keyof typeof UNITS;

/**
 * `15m`, `1h15m30s`, `2d`, and what people write for them: `1 day`, `3 hours 10 minutes`. A unit ends where no letter
 * follows.
 */
const PART = /^(\d+(?:\.\d+)?)\s*(?:(w|d|h|m|s)(?![a-z])|(week|day|hour|hr|minute|min|second|sec)s?(?![a-z]))\s*/i;

/** Seconds that a text names, negative with a leading `-`; undefined when it is no duration. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const sign = trimmed.startsWith('-') ? -1 : 1;
  let rest = trimmed.replace(/^[-+]\s*/, '');
  if (rest === '') return undefined;
  if (/^0+$/.test(rest)) return 0;
  let seconds = 0;
  while (rest !== '') {
    const part = PART.exec(rest);
    if (!part) return undefined;
    const unit = (part[2] ?? part[3])?.[0]?.toLowerCase() as Unit;
    seconds += Number(part[1]) * UNITS[unit];
    rest = rest.slice(part[0].length);
  }
  return sign * seconds || 0;
}

/** The canonical text of a duration in seconds: the largest units first, none that is zero (`1h15m30s`, `2d`, `0s`). */
export function printDuration(seconds: number): string {
  if (!Number.isSafeInteger(seconds)) return `${seconds}s`;
  if (seconds === 0) return '0s';
  let rest = Math.abs(seconds);
  let text = seconds < 0 ? '-' : '';
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const amount = Math.floor(rest / UNITS[unit]);
    if (amount > 0) text += `${amount}${unit}`;
    rest -= amount * UNITS[unit];
  }
  return text;
}
