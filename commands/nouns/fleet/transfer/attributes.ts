import { create } from '@bufbuild/protobuf';

import { attributes } from '#commands/kit/attributes.ts';
import { intersectValues, singleValue, valuesOf } from '#commands/kit/filter-keys.ts';
import { organizationLinks, organizationText } from '#commands/kit/organization-names.ts';
import { CommandError } from '#commands/model/errors.ts';
import { momentRange } from '#commands/model/moment.ts';
import { textOf, toMs } from '#commands/model/wire.ts';
import { isNumber, toNumber } from '#commands/nouns/fleet/device/item.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import { TimeRangeSchema } from '#proto/gen/hiber/base_pb.ts';
import { DeviceSelectionSchema } from '#proto/gen/hiber/device_pb.ts';
import type { TransferHistory_Request_TransferSelection as TransferSelection } from '#proto/gen/hiber/transfer_pb.ts';

import { numbersOf, type TransferItem } from './item.ts';

/** The attributes of transfers in both directions. The device filter also finds devices that have left. */
export const transferAttributes = attributes<TransferItem, TransferSelection>({
  created: {
    kind: 'time',
    value: ({ transfer: { createdAt } }) => textOf(createdAt),
    time: ({ transfer: { createdAt } }) => toMs(createdAt),
    column: { width: 176 },
    detail: 'about',
    filter: {
      kind: 'time',
      ranges: true,
      apply: (selection, term, context) => {
        if (selection.timeRange) throw new CommandError(message('common:filter.twice', { key: term.key }));
        const bounds = 'values' in term.test ? { value: singleValue(term) } : 'present' in term.test ? {} : term.test;
        selection.timeRange = create(
          TimeRangeSchema,
          momentRange(bounds, context.now(), firstDay(context.preferences)),
        );
      },
    },
  },
  sender: {
    kind: 'text',
    value: ({ transfer, organizations }) => organizationText(transfer.senderOrganization, organizations),
    links: ({ transfer, organizations }) => organizationLinks(transfer.senderOrganization, organizations),
    column: { width: 170, grow: 1 },
    detail: 'about',
  },
  recipient: {
    kind: 'text',
    value: ({ transfer, organizations }) => organizationText(transfer.recipientOrganization, organizations),
    links: ({ transfer, organizations }) => organizationLinks(transfer.recipientOrganization, organizations),
    column: { width: 170, grow: 1 },
    detail: 'about',
  },
  devices: {
    kind: 'number',
    value: (item) => `${numbersOf(item).length}`,
    column: { width: 90 },
    detail: 'state',
    key: 'device',
    filter: {
      kind: 'text',
      isSearched: true,
      canonical: toNumber,
      check: (value) => (isNumber(value) ? undefined : message('device:validation.number', { value })),
      apply: (selection, term) => {
        if (selection.selection.case) throw new CommandError(message('common:filter.twice', { key: term.key }));
        const value = create(DeviceSelectionSchema, { modems: { include: [...valuesOf(term)] } });
        selection.selection = { case: 'devices', value };
      },
    },
  },
  comment: {
    kind: 'text',
    value: ({ transfer }) => transfer.comment || undefined,
    column: { width: 220, grow: 2 },
    detail: 'notes',
  },
  id: {
    kind: 'mono',
    value: ({ transfer }) => transfer.identifier,
    column: { width: 240 },
    detail: 'about',
    filter: {
      kind: 'text',
      isSearched: true,
      apply: (selection, term) => {
        selection.identifiers = intersectValues(selection.identifiers, valuesOf(term), term.key);
      },
    },
  },
});
