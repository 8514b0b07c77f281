import { remoteByIds, remoteFind, remoteList } from '#commands/kit/remote-list.ts';
import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { message } from '#commands/text/message.ts';
import { TransferSchema } from '#proto/gen/hiber/transfer_pb.ts';

import { transferAttributes } from './attributes.ts';
import { devicesTab } from './devices-tab.ts';
import { numbersOf, transferLabel, type TransferItem } from './item.ts';
import { type Direction, loadTransfers, selectTransfers, type TransferSelection } from './list.ts';

type Shared = Omit<Entity<TransferItem, TransferSelection>, 'name' | 'plural' | 'screen'>;

/** Returns what the entities for both directions have in common. */
export function transfersIn(direction: Direction): Shared {
  const ownRole = direction === 'outbound' ? 'sender' : 'recipient';
  const load = (context: Context, selection: TransferSelection) => loadTransfers(context, selection);
  const searchSelection = (search: string): TransferSelection => {
    const selection = selectTransfers(direction);
    if (search !== '') selection.search = search;
    return selection;
  };
  const byIds = remoteByIds(load, (ids) => {
    const selection = selectTransfers(direction);
    selection.identifiers = [...ids];
    return selection;
  });
  return {
    requires: 'VIEW_TRANSFERS',
    id: ({ transfer }) => transfer.identifier,
    label: transferLabel,
    detail: (item) => message('transfer:detail', { count: numbersOf(item).length }),
    json: ({ transfer }, toJson) => toJson(TransferSchema, transfer),
    isId: (text) => /^transfer-[0-9a-f]+$/.test(text.trim()),
    toId: (text) => text.trim(),
    ...remoteList({ load, searchSelection }),
    byIds,
    find: remoteFind({
      load: (context, text) => load(context, searchSelection(text)),
      byIds,
      identifiers: [({ transfer }) => [transfer.identifier], ({ transfer }) => [transfer.comment]],
    }),
    emptySelection: () => selectTransfers(direction),
    applySearch: (selection, text) => {
      selection.search = text;
    },
    filter: transferAttributes.filter,
    idKey: 'id',
    // The server always returns the newest transfers first.
    sorts: [],
    emptyHint: true,
    // The organization itself is the sender or recipient of every transfer in the list.
    columns: transferAttributes.columns.map((column) =>
      column.id === ownRole ? { ...column, optional: true as const } : column,
    ),
    details: transferAttributes.details,
    detailTabs: [devicesTab],
    changedBy: ['TRANSFER'],
  };
}
