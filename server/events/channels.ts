/** PostgreSQL notification channels and their payloads. A payload must stay below 8,000 bytes. */

/** New or resolved events: an {@link EventNotice} as JSON. */
export const EVENT_CHANNEL = 'quarterdeck_event';

/** Access changes: the subjects, as a JSON array. */
export const ACCESS_CHANNEL = 'quarterdeck_rights';

/**
 * The events to read. `from` and `to` are the range of their times in ms since the epoch, to limit the partitions read.
 */
export interface EventNotice {
  readonly organization: string;
  readonly from: number;
  readonly to: number;
  readonly ids: number[];
}

/** The maximum number of ids per notice. Each id takes 16 digits and a comma, and the other fields need room too. */
export const IDS_PER_NOTICE = 400;
