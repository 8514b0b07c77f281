import type { message } from '#server/db/schema/message.ts';
import { payload, type PayloadProfile } from '#server/demo/simulator/payload.ts';

import type { DeviceRow } from './fleet.ts';
import { randomFor } from './random.ts';

export type MessageRow = typeof message.$inferInsert;

/** ModemMessage.Source. */
const SIMULATED = 3;
/** The share of messages that never arrive: usually, and from a device in trouble. */
const LOST_SHARES = { usually: 0.04, inTrouble: 0.45 };

/**
 * Builds the last messages of each device up to its last contact: at most `perDevice(organization)`, and none before
 * `since`. Oldest first over all devices, with ids from 1; the newest of each becomes its last message.
 */
export function seedMessages(
  devices: readonly DeviceRow[],
  perDevice: (organization: string) => number,
  healthyLevel: string,
  since: Date,
): MessageRow[] {
  const random = randomFor('messages');
  const rows: MessageRow[] = [];
  for (const device of devices) {
    if (!device.lastMessageReceivedAt) continue;
    const interval = (device.transmissionInterval ?? 3600) * 1000;
    const missing = device.healthLevel === healthyLevel ? LOST_SHARES.usually : LOST_SHARES.inTrouble;
    const max = perDevice(device.organization);
    let received = device.lastMessageReceivedAt.getTime();
    for (let count = 0; count < max && received > since.getTime(); received -= interval) {
      if (count > 0 && random.chance(missing)) continue;
      count += 1;
      rows.push(messageRow(device, received, random.between(1000, 20_000)));
    }
  }
  rows.sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  const byNumber = new Map(devices.map((device) => [device.number, device]));
  for (const [index, row] of rows.entries()) {
    row.id = index + 1;
    const device = byNumber.get(row.number);
    if (device === undefined) continue;
    device.lastMessageId = row.id;
    device.lastMessageSentAt = row.sentAt;
    device.lastMessageReceivedAt = row.receivedAt;
    device.lastMessageBody = row.body;
  }
  return rows;
}

function messageRow(device: DeviceRow, received: number, latency: number): MessageRow {
  const sentAt = new Date(Math.round(received - latency));
  const { content, metadata } = payload(
    { number: device.number, profile: device.metadata['profile'] as PayloadProfile },
    sentAt,
  );
  return {
    organization: device.organization,
    receivedAt: new Date(Math.round(received)),
    id: 0,
    number: device.number,
    sentAt,
    latitude: device.latitude,
    longitude: device.longitude,
    body: content,
    sources: [SIMULATED],
    metadata: { ...metadata },
  };
}
