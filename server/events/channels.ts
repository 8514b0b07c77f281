/** PostgreSQL notification channels, and what travels on them. A payload must stay below 8,000 bytes. */

/** Events were stored: an {@link EventNotice} as JSON. */
export const eventChannel = 'quarterdeck_event';

/** Rights were changed: the subjects, a JSON array. */
export const rightsChannel = 'quarterdeck_rights';

/** Which events to read; `from` and `to` are epoch milliseconds that bound their time, for the partitions. */
export interface EventNotice {
  organization: string;
  from: number;
  to: number;
  ids: number[];
}

/** Ids per notice: 16 digits and a comma each, and room for the rest. */
export const idsPerNotice = 400;
