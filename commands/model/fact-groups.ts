import { message, type Message } from '#commands/text/message.ts';

/**
 * The groups of an overview, in the order in which they are read. `identity` is what the head of a panel says already;
 * `state` comes first, without a heading.
 */
export const FACT_GROUPS = [
  'identity',
  'state',
  'reporting',
  'place',
  'delivery',
  'events',
  'owner',
  'rights',
  'use',
  'hardware',
  'contact',
  'billing',
  'period',
  'notes',
  'about',
] as const;

export type FactGroup = (typeof FACT_GROUPS)[number];

export const groupTitle = (group: FactGroup): Message => message(`core:factGroup.${group}`);
