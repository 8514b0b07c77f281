import { entity, type Entity } from '#commands/model/entity.ts';
import { transfersIn } from '#commands/nouns/fleet/transfer/entity-kit.ts';
import type { TransferItem } from '#commands/nouns/fleet/transfer/item.ts';
import type { TransferSelection } from '#commands/nouns/fleet/transfer/list.ts';
import { TRANSFERS } from '#commands/nouns/tab-groups.ts';

/** The transfers that the organization sent. Their devices are usually out of reach. */
export const outboundTransfer: Entity<TransferItem, TransferSelection> = entity({
  name: 'outbound-transfer',
  plural: 'outbound-transfers',
  screen: { path: '/transfers/outbound', key: 'g Shift+X', tabs: TRANSFERS },
  ...transfersIn('outbound'),
  addCommand: 'transfer.start',
});

export { outboundTransfer as entity };
