/** PostgreSQL notification channels and their payloads. A payload must stay below 8,000 bytes. */

/** New or resolved events: an {@link EventNotice} as JSON. */
export const EVENT_CHANNEL = 'quarterdeck_event';

/** Changes to rights: the subjects, as a JSON array. */
export const RIGHTS_CHANNEL = 'quarterdeck_rights';

/** The events to read; `from` and `to` are epoch milliseconds that bound their time, to select partitions. */
export interface EventNotice {
  readonly organization: string;
  readonly from: number;
  readonly to: number;
  readonly ids: number[];
}

/** The maximum number of ids per notice: 16 digits and a comma each, plus room for the rest. */
export const IDS_PER_NOTICE = 400;
