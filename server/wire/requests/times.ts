/** The span of protobuf's Timestamp and of ISO 8601 with four-digit years; PostgreSQL and JSON hold all of it. */
const earliest = Date.parse('0001-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Protobuf's own bound of a Duration, in seconds: 10,000 years in either direction. */
const LONGEST_SECONDS = 315_576_000_000;

/** What every refusal of a time says is right. */
export const YEARS_SERVED = 'from year 1 to 9999';

/** Whether a moment is one that can be stored, compared and written back; an invalid Date is not. */
export const isServedTime = (milliseconds: number): boolean => milliseconds >= earliest && milliseconds <= latest;

export const isServedDuration = (seconds: number): boolean => Math.abs(seconds) <= LONGEST_SECONDS;
