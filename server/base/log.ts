import { truncate } from './describe-error.ts';

/** Fields to log with a message. They are plain values, to keep whole requests, headers, and secrets out of the log. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

type Level = keyof Log;

export type LogFormat = 'json' | 'pretty';

/**
 * Creates a log with one line per entry.
 *
 * `json` is for machines and writes an object with `time` (RFC 3339), `level`, `message`, and the fields. `pretty` is
 * for people at a terminal and writes the time, the level unless it is info, the message, and `key=value` pairs.
 * Truncates long strings and escapes control characters because logged values can come from anyone.
 */
export function createLog(format: LogFormat, write: (line: string) => void, now: () => Date = () => new Date()): Log {
  const formatLine = format === 'json' ? jsonLine : prettyLine;
  const writer =
    (level: Level) =>
    (message: string, fields: LogFields = {}) =>
      write(`${formatLine(now(), level, truncate(message), truncateFields(fields))}\n`);
  return { info: writer('info'), warn: writer('warn'), error: writer('error') };
}

/** A log that discards all entries, for tests and tools that need clean output. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

const truncateFields = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? truncate(value) : value]),
  );

/**
 * Control characters, separators that some programs treat as a new line, and characters that change the reading order.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function jsonLine(time: Date, level: Level, message: string, fields: LogFields): string {
  return JSON.stringify({ time: time.toISOString(), level, message, ...fields }).replaceAll(
    UNPRINTABLE,
    escapeCharacter,
  );
}

function prettyLine(time: Date, level: Level, message: string, fields: LogFields): string {
  const pairs = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [`${key}=${typeof value === 'string' && /\s|\p{Cc}/u.test(value) ? JSON.stringify(value) : value}`],
  );
  const label = level === 'info' ? [] : [level.toUpperCase()];
  return [time.toISOString().slice(11, 19), ...label, message, ...pairs]
    .join(' ')
    .replaceAll(UNPRINTABLE, escapeCharacter);
}
