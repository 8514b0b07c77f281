/**
 * The maximum lengths of text values, in characters. The console and the server share them, so the console checks the
 * limits that the server enforces. The contract defines no limits.
 */
export const MAX_LENGTH = {
  /** The default limit. */
  text: 1000,
  /** A search text. */
  search: 500,
  /** Free text, such as notes. */
  notes: 20_000,
  /** The name of a guide or a step in the notes of a device. */
  guide: 200,
  deviceName: 200,
  tagName: 200,
  tokenName: 200,
  personName: 200,
  organizationId: 60,
  organizationName: 200,
  /** A part of an address, a phone number, or a VAT number. */
  organizationDetail: 100,
  supportReason: 500,
  transferComment: 1000,
  exportName: 200,
  webhookUrl: 2000,
  webhookText: 500,
  headerValue: 4000,
  parserName: 200,
  /** A definition of a parser; see `server/parsing/workers/limits.mjs`. */
  definition: 256 * 1024,
  fieldPath: 300,
  fieldName: 200,
  /** The value of an enum field, its name, description, or color. */
  enumText: 500,
} as const;

/** The longest period for counting a webhook's failures. */
export const MAX_WARNING_PERIOD_S = 90 * 86_400;

/** The most messages in a call of `ParserTraceService.TestBatch`. */
export const MAX_TEST_BATCH = 200;

/** The most devices in a transfer. It is a single transaction, during which the embedded database does nothing else. */
export const MAX_TRANSFER_DEVICES = 5000;

/** The size of a file that is sent in parts. Generous for a photo or a manual, and little to send from a phone. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** The size of all files of an organization. */
export const MAX_FILES_BYTES = 2 * 1024 * 1024 * 1024;
