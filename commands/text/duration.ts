const UNITS = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 } as const;
type Unit = keyof typeof UNITS;

/** Matches one part of a duration such as `1h15m30s` or `3 hours 10 minutes`. A letter cannot follow a unit. */
const PART = /^(\d+(?:\.\d+)?)\s*(?:(w|d|h|m|s)(?![a-z])|(week|day|hour|hr|minute|min|second|sec)s?(?![a-z]))\s*/i;

/** Parses a duration into seconds, which are negative after a leading `-`. Returns undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  const sign = trimmed.startsWith('-') ? -1 : 1;
  let remainingText = trimmed.replace(/^[-+]\s*/, '');
  if (remainingText === '') return undefined;
  if (/^0+$/.test(remainingText)) return 0;
  let seconds = 0;
  while (remainingText !== '') {
    const part = PART.exec(remainingText);
    if (!part) return undefined;
    const unit = (part[2] ?? part[3])?.[0]?.toLowerCase() as Unit;
    seconds += Number(part[1]) * UNITS[unit];
    remainingText = remainingText.slice(part[0].length);
  }
  return sign * seconds || 0;
}

/**
 * Returns the canonical text of a duration in seconds, such as `1h15m30s`, `2d`, or `0s`. The text has the largest
 * units first and omits units with a value of zero.
 */
export function printDuration(seconds: number): string {
  if (!Number.isSafeInteger(seconds)) return `${seconds}s`;
  if (seconds === 0) return '0s';
  let remainingSeconds = Math.abs(seconds);
  let text = seconds < 0 ? '-' : '';
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const amount = Math.floor(remainingSeconds / UNITS[unit]);
    if (amount > 0) text += `${amount}${unit}`;
    remainingSeconds -= amount * UNITS[unit];
  }
  return text;
}

/**
 * Returns the durations that other text probably means, such as `3600s` for `3600`, `1h30m` for `1:30`, and `1h15m` for
 * `1h15`. Returns an empty list if no duration is similar.
 */
export function nearDurations(text: string): readonly string[] {
  const normalizedText = text.trim().toLowerCase();
  const number = /^(\d{1,9})$/.exec(normalizedText)?.[1];
  if (number !== undefined) {
    // A large number is most likely in seconds, but a small number could be in minutes.
    if (Number(number) < UNITS.m) return [`${Number(number)}m`, `${Number(number)}s`];
    return [...new Set([printDuration(Number(number)), `${Number(number)}s`])];
  }
  const [, hours, minutes, seconds = '0'] = /^(\d{1,3}):(\d\d)(?::(\d\d))?$/.exec(normalizedText) ?? [];
  const rewritten =
    hours === undefined
      ? normalizedText
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
