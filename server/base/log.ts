import { cut } from './loggable.ts';

/** What may be logged beside a message: plain values only, so that no request, header or secret slips in whole. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

type Level = keyof Log;

export type LogFormat = 'json' | 'pretty';

/**
 * A log of one line per entry.
 *
 * `json` is for machines: one object with `time` (RFC 3339), `level`, `message` and the fields. `pretty` is for a
 * person at a terminal: time, level when it is not info, message, `key=value` pairs. Long texts are cut, and control
 * characters are escaped, as what is logged may come from anybody.
 */
export function createLog(format: LogFormat, write: (line: string) => void, now: () => Date = () => new Date()): Log {
  const entry = format === 'json' ? jsonLine : prettyLine;
  const at =
    (level: Level) =>
    (message: string, fields: LogFields = {}) =>
      write(`${entry(now(), level, cut(message), bounded(fields))}\n`);
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** For tests and tools whose own output is what counts. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

const bounded = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? cut(value) : value]),
  );

/** Control characters, the separators that some programs take for a new line, and those that turn the reading order. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function jsonLine(time: Date, level: Level, message: string, fields: LogFields): string {
  return JSON.stringify({ time: time.toISOString(), level, message, ...fields }).replaceAll(UNPRINTABLE, escaped);
}

function prettyLine(time: Date, level: Level, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [`${key}=${typeof value === 'string' && /\s|\p{Cc}/u.test(value) ? JSON.stringify(value) : value}`],
  );
  const label = level === 'info' ? [] : [level.toUpperCase()];
  return [time.toISOString().slice(11, 19), ...label, message, ...pairs].join(' ').replaceAll(UNPRINTABLE, escaped);
}
