import { message, type Message } from '#commands/text/message.ts';

/**
 * The groups of an overview, in reading order. `identity` has the fields that the head of the panel already shows.
 * `state` comes first, without a heading.
 */
export const DETAIL_GROUPS = [
  'identity',
  'state',
  'reporting',
  'place',
  'delivery',
  'events',
  'owner',
  'access',
  'use',
  'hardware',
  'contact',
  'billing',
  'period',
  'notes',
  'about',
] as const;

export type DetailGroup = (typeof DETAIL_GROUPS)[number];

export const groupTitle = (group: DetailGroup): Message => message(`core:detailGroup.${group}`);
