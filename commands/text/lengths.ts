/**
 * How many characters a text may have. Stated once, as the server refuses by it and the console says so before it asks:
 * the contract states no limits.
 */
export const LONGEST = {
  /** Whatever has no limit of its own. */
  text: 1_000,
  /** A text that is looked for in others. */
  search: 500,
  /** Prose that people write: notes. */
  notes: 20_000,
  deviceName: 200,
  tagName: 200,
  tokenName: 200,
  personName: 200,
  organizationId: 60,
  organizationName: 200,
  /** A part of an address, a phone number, a VAT number. */
  organizationDetail: 100,
  supportReason: 500,
  webhookUrl: 2_000,
  webhookText: 500,
  headerValue: 4_000,
} as const;

/** The longest time that a webhook's failures are counted over. */
export const LONGEST_WARNING_PERIOD = 90 * 86_400;
