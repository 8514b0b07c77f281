import { entity, type Entity } from '#commands/model/entity.ts';
import { TRANSFERS } from '#commands/nouns/tab-groups.ts';

import { transfersIn } from './entity-kit.ts';
import type { TransferItem } from './item.ts';
import type { TransferSelection } from './list.ts';

/** The transfers that the organization received. `outbound-transfer` has those that it sent. */
export const transfer: Entity<TransferItem, TransferSelection> = entity({
  name: 'transfer',
  plural: 'transfers',
  screen: {
    path: '/transfers/inbound',
    aliases: ['/transfers'],
    rail: { icon: 'arrow-left-right', group: 'fleet', forGroup: true },
    key: 'g x',
    tabs: TRANSFERS,
  },
  ...transfersIn('inbound'),
});

export { transfer as entity };
