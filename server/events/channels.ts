/** PostgreSQL notification channels, and what travels on them. A payload must stay below 8,000 bytes. */

/** Events were stored: an {@link EventNotice} as JSON. */
export const EVENT_CHANNEL = 'quarterdeck_event';

/** Rights were changed: the subjects, a JSON array. */
export const RIGHTS_CHANNEL = 'quarterdeck_rights';

/** Which events to read; `from` and `to` are epoch milliseconds that bound their time, for the partitions. */
export interface EventNotice {
  readonly organization: string;
  readonly from: number;
  readonly to: number;
  readonly ids: number[];
}

/** Ids per notice: 16 digits and a comma each, and room for the rest. */
export const IDS_PER_NOTICE = 400;
