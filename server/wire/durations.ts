import { Code, ConnectError } from '@connectrpc/connect';

import type { Duration } from '#proto/gen/hiber/base_pb.ts';

import { isSupportedDuration } from './requests/times.ts';

const secondsIn: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3600, m: 60, s: 1 };

const PART = /([+-]?)\s*(\d+(?:\.\d+)?)\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)/g;

/**
 * Reads a duration in the contract's text formats: ISO 8601 (`P1DT2H`, `PT-10h`), and free text (`1 day`, `3d4h5m`,
 * `3 hours -10 minutes`). A single leading sign applies to the whole text (`-1h30m`); otherwise, each part has its own.
 *
 * @returns seconds; undefined if the text has none of these formats
 */
export function parseDuration(text: string): number | undefined {
  const lower = text.trim().toLowerCase();
  const [, sign = '', iso] = /^([+-]?)p(.+)$/.exec(lower) ?? [];
  // In ISO 8601, `t` only separates days from hours. It isn't needed here, because every unit has its own letter.
  const body = (iso ?? lower).replace('t', iso === undefined ? 't' : ' ');
  const parts = [...body.matchAll(PART)];
  if (parts.length === 0 || body.replaceAll(PART, '').trim() !== '') return undefined;
  const signs = parts.map(([, sign]) => sign);
  const isSignedWhole = signs[0] === '-' && signs.slice(1).every((sign) => sign === '');
  const seconds = parts.reduce((sum, [, sign, amount, unit = '']) => {
    const size = Number(amount) * (secondsIn[unit.charAt(0)] ?? 0);
    return sum + (isSignedWhole || sign === '-' ? -size : size);
  }, 0);
  return sign === '-' ? -seconds : seconds;
}

/**
 * Reads a duration in seconds; undefined if neither form is set.
 *
 * @throws ConnectError INVALID_ARGUMENT, naming the field
 */
export function readDuration(duration: Duration | undefined, field: string): number | undefined {
  // The contract doesn't say which form takes precedence. We choose the structured one, as for Timestamp.
  if (duration?.duration !== undefined) return Number(duration.duration.seconds) + duration.duration.nanos / 1e9;
  const text = duration?.textual?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = parseDuration(text);
  if (seconds === undefined) {
    throw new ConnectError(
      `"${field}" isn't a duration: "${text}". Use a format like 12h or 1d.`,
      Code.InvalidArgument,
    );
  }
  if (!isSupportedDuration(seconds)) {
    throw new ConnectError(`"${field}" is out of range. A duration can be at most 10,000 years.`, Code.InvalidArgument);
  }
  return seconds;
}
