import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { type EventTag, type NewEvent, newEvent, presentTags } from '#server/events/new-event.ts';
import { summarizeList } from '#server/wire/errors.ts';

import { presentTransfer, type TransferRow } from './present.ts';

/**
 * Creates the event about a transfer for its sender or its recipient. Every member with the TRANSFERS permission can
 * see it, so it names only devices in lifecycles that customers can see.
 *
 * @param numbers the visible devices
 * @param tags the tags that the devices had in the organization
 */
export function devicesTransferred(
  organization: string,
  row: TransferRow,
  numbers: readonly string[],
  tags: readonly EventTag[],
): NewEvent {
  const devices = numbers.length === 1 ? `Device ${numbers[0]} was` : `${numbers.length || 'Some'} devices were`;
  const names = numbers.length > 1 ? `: ${summarizeList(numbers)}` : '';
  const time = row.createdAt;
  return newEvent(
    {
      organization,
      time,
      type: EventType.TRANSFER,
      title: `${numbers.length === 1 ? 'Device' : 'Devices'} ${organization === row.sender ? 'sent' : 'received'}`,
      description: `${devices} transferred from "${row.sender}" to "${row.recipient}"${names}.`,
      tags: presentTags(tags),
    },
    (common) => ({
      case: 'transfer',
      value: { transfer: presentTransfer(row, numbers), tags: presentTags(tags), ...common },
    }),
  );
}
