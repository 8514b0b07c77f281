import type { message } from '#server/db/schema/message.ts';
import { createPayload, type PayloadProfile } from '#server/demo/simulator/payload.ts';

import type { DeviceRow } from './fleet.ts';
import { BROKEN_ERROR, type SeededParsers } from './parsers.ts';
import { createRandom } from './random.ts';

export type MessageRow = typeof message.$inferInsert;

/** A ModemMessage.Source number. */
const SIMULATED = 3;
/** The fraction of messages that never arrive, for healthy devices and for all others. */
const LOSS_RATE = { healthy: 0.04, unhealthy: 0.45 };

/**
 * Generates the messages of each device between `since` and its last contact, but at most `perDevice(organization)` of
 * them. Returns the messages of all devices, oldest first, with ids from 1. Also sets each device's last message.
 *
 * @param parserOf returns the parser of a device, whose results are stored with the messages
 */
export function seedMessages(
  devices: readonly DeviceRow[],
  perDevice: (organization: string) => number,
  healthyLevel: string,
  since: Date,
  parserOf: (device: DeviceRow) => SeededParser | undefined = () => undefined,
): MessageRow[] {
  const random = createRandom('messages');
  const rows: MessageRow[] = [];
  for (const device of devices) {
    if (!device.lastMessageReceivedAt) continue;
    const interval = (device.transmissionInterval ?? 3600) * 1000;
    const lossRate = device.healthLevel === healthyLevel ? LOSS_RATE.healthy : LOSS_RATE.unhealthy;
    const max = perDevice(device.organization);
    let receivedMs = device.lastMessageReceivedAt.getTime();
    for (let count = 0; count < max && receivedMs > since.getTime(); receivedMs -= interval) {
      if (count > 0 && random.chance(lossRate)) continue;
      count += 1;
      rows.push(messageRow(device, receivedMs, random.between(1000, 20_000), parserOf(device)));
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

function messageRow(
  device: DeviceRow,
  receivedMs: number,
  latency: number,
  parser: SeededParser | undefined,
): MessageRow {
  const sentAt = new Date(Math.round(receivedMs - latency));
  const { content, result, metadata } = createPayload(
    { number: device.number, profile: device.metadata['profile'] as PayloadProfile },
    sentAt,
  );
  return {
    organization: device.organization,
    receivedAt: new Date(Math.round(receivedMs)),
    id: 0,
    number: device.number,
    sentAt,
    latitude: device.latitude,
    longitude: device.longitude,
    body: content,
    sources: [SIMULATED],
    metadata: { ...metadata },
    parsed: parser === undefined ? null : [parsedBody(parser, result, sentAt)],
  };
}

type SeededParser = SeededParsers['byFamily'][keyof SeededParsers['byFamily']];

function parsedBody(
  { identifier, name }: SeededParser,
  result: Readonly<Record<string, unknown>> | undefined,
  sentAt: Date,
) {
  const parser = { parser: identifier, name };
  return result === undefined ? { ...parser, ...BROKEN_ERROR } : { ...parser, result, measuredAt: sentAt.getTime() };
}
