const HOUR = 3600;
const DAY = 24 * HOUR;

/** How long the files of an export are kept if the request doesn't say, in seconds. */
export const DEFAULT_EXPIRY = 7 * DAY;
export const MIN_EXPIRY = HOUR;
/** Also the longest time that an export can be extended to, counted from the call. */
export const MAX_EXPIRY = 366 * DAY;

/** The exports of an organization that are in progress at a time. */
export const MAX_PROCESSING = 20;
/** All exports of an organization. Finished ones are deleted after {@link RETENTION_MS}. */
export const MAX_EXPORTS = 2000;

/** How long expired and failed exports stay in the list. */
export const RETENTION_MS = 90 * DAY * 1000;

/** The devices or process points of an export. */
export const MAX_OWNERS = 10_000;
export const MAX_COLUMNS = 200;

/** The size of all files of an organization's exports. They don't count for the limit of uploaded files. */
export const MAX_EXPORT_BYTES = 20 * 1024 * 1024 * 1024;
export const GIGABYTE = 1024 * 1024 * 1024;

/** The rows of a file. A spreadsheet has 1,048,576. */
export const MAX_FILE_ROWS = 1_000_000;
