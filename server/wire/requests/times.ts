/** The range of protobuf's Timestamp and of ISO 8601 with four-digit years; PostgreSQL and JSON support all of it. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Protobuf's limit for a Duration, in seconds: 10,000 years in either direction. */
const MAX_DURATION_SECONDS = 315_576_000_000;

/** The supported range, quoted in every error message about a time. */
export const SUPPORTED_YEARS = 'between the years 1 and 9999';

/** True if a time can be stored, compared, and written back; false for an invalid Date. */
export const isSupportedTime = (milliseconds: number): boolean => milliseconds >= EARLIEST && milliseconds <= LATEST;

export const isSupportedDuration = (seconds: number): boolean => Math.abs(seconds) <= MAX_DURATION_SECONDS;
