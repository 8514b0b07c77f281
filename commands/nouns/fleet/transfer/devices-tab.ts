import { loadOrganizationNames, organizationText, type OrganizationNames } from '#commands/kit/organization-names.ts';
import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailTab } from '#commands/model/entity.ts';
import { FIRST_PAGE } from '#commands/model/tab-filter.ts';
import { ALL_LIFECYCLES } from '#commands/nouns/fleet/device/lifecycle.ts';
import { loadAllPages } from '#commands/run/paging.ts';
import { message } from '#commands/text/message.ts';
import { type Modem, ModemService } from '#proto/gen/hiber/modem_pb.ts';

import { numbersOf, type TransferItem } from './item.ts';

/** A device of a transfer. It has a `modem` if it still is where the transfer brought it, and the user can see it. */
interface TransferredDevice {
  readonly number: string;
  readonly modem: Modem | undefined;
  readonly organizations: OrganizationNames;
}

const MAX_ROWS = 100;

const columns: readonly Column<TransferredDevice>[] = [
  { id: 'number', kind: 'mono', width: 80, value: ({ number }) => number },
  { id: 'name', kind: 'text', width: 110, grow: 2, value: ({ modem }) => modem?.name },
  {
    id: 'organization',
    kind: 'text',
    title: message('device:labels.organization'),
    width: 90,
    grow: 1,
    value: ({ modem, organizations }) =>
      modem ? organizationText(modem.organization, organizations) : message('transfer:gone'),
  },
];

/** Loads the devices of a transfer that are in the current organization or below it. */
async function loadPresent(context: Context, identifier: string): Promise<readonly Modem[]> {
  if (!context.actor.abilities.has('VIEW_DEVICES')) return [];
  const selection = { transfers: { transfersIdentifiers: [identifier] }, lifecycles: ALL_LIFECYCLES };
  return loadAllPages(async (pagination) => {
    const request = {
      organization: context.organization.id,
      selection,
      childOrganizations: { includeAll: true },
      pagination,
    };
    const response = await context.api(ModemService).list(request, { signal: context.signal });
    return { items: response.modems, pagination: response.pagination };
  });
}

/** The devices of a transfer, also those that are no longer in an organization that the user can see. */
export const devicesTab: DetailTab<TransferItem> = {
  id: 'devices',
  columns,
  limit: MAX_ROWS,
  pages: true,
  load: async (context, item, { page } = FIRST_PAGE): Promise<readonly TransferredDevice[]> => {
    const numbers = numbersOf(item).slice(page * MAX_ROWS, (page + 1) * MAX_ROWS);
    if (numbers.length === 0) return [];
    const modems = new Map(
      (await loadPresent(context, item.transfer.identifier)).map((modem) => [modem.number, modem]),
    );
    const organizations = await loadOrganizationNames(
      context,
      [...modems.values()].map(({ organization }) => organization),
    );
    return numbers.map((number) => ({ number, modem: modems.get(number), organizations }));
  },
  key: (row) => (row as TransferredDevice).number,
  opens: (row) => {
    const { number, modem } = row as TransferredDevice;
    return modem && { entity: 'device', id: number };
  },
};
