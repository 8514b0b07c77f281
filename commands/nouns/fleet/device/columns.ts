import { Modem_Type } from '#proto/gen/hiber/modem_pb.ts';
import type { Column } from '#commands/model/column.ts';
import { enumWords } from '#commands/kit/enum-words.ts';
import type { Message } from '#commands/text/message.ts';
import { organizationText } from '#commands/kit/organization-names.ts';
import { msOf, textOf } from '#commands/model/wire.ts';
import { tagLabels } from '#commands/nouns/fleet/tag/item.ts';
import { brandOf } from './catalogue.ts';
import type { Device } from './item.ts';
import { lifecycleWords } from './lifecycle.ts';

export const typeWords = enumWords(Modem_Type, 'device:type');

export function typeText({ modem }: Device): Message {
  return typeWords.word(modem.type);
}

export function lifecycleOf({ modem }: Device): Message {
  return lifecycleWords.word(modem.lifecycle);
}

export function organizationOf({ modem, organizations }: Device): string | Message | undefined {
  return organizationText(modem.organization, organizations);
}

/**
 * Messages of the last 24 hours against what is expected in them: `5 / 24`. The contract has no field for the first; our own server
 * tells it in the metadata, and of another server only the second is known.
 */
function receivedText({ modem: { metadata, expectedTransmissionRate: expected } }: Device): string | undefined {
  const received = metadata?.['received24h'];
  const parts = [typeof received === 'number' ? `${received}` : undefined, expected && `${expected.value}`];
  return parts.filter((part) => part !== undefined).join(' / ') || undefined;
}

export const deviceColumns: readonly Column<Device>[] = [
  {
    id: 'health',
    kind: 'health',
    width: 28,
    sort: 'health',
    value: ({ modem }) => modem.healthLevel?.level,
    level: ({ level }) => level,
  },
  { id: 'number', kind: 'mono', width: 88, sort: 'number', value: ({ modem }) => modem.number },
  { id: 'name', kind: 'text', width: 200, grow: 2, sort: 'name', value: ({ modem }) => modem.name },
  { id: 'type', kind: 'text', width: 80, value: typeText },
  { id: 'lifecycle', kind: 'status', width: 150, sort: 'lifecycle', value: lifecycleOf },
  {
    id: 'last',
    kind: 'age',
    width: 104,
    sort: 'last',
    value: ({ modem }) => textOf(modem.lastMessageReceivedAt),
    at: ({ modem }) => msOf(modem.lastMessageReceivedAt),
  },
  {
    id: 'received',
    kind: 'number',
    width: 84,
    value: receivedText,
  },
  {
    id: 'tags',
    kind: 'tags',
    width: 200,
    grow: 2,
    value: ({ modem }) => modem.tags.map((each) => each.label?.name).join(', '),
    tags: ({ modem }) => tagLabels(modem.tags),
  },
  { id: 'model', kind: 'text', width: 130, grow: 1, sort: 'model', value: ({ modem }) => modem.deviceType },
  { id: 'brand', kind: 'text', width: 110, enough: 150, grow: 1, sort: 'brand', value: ({ modem }) => brandOf(modem) },
  {
    id: 'organization',
    kind: 'text',
    width: 150,
    grow: 1,
    sort: 'organization',
    when: 'below',
    value: organizationOf,
  },
];
