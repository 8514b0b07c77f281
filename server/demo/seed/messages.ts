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

/** A message that is not built yet. A million of these take 60 MB, where their rows would take more than 1 GB. */
interface Receipt {
  readonly device: DeviceRow;
  readonly receivedMs: number;
  readonly latency: number;
  readonly isParsed: boolean;
}

/** How many of each device's messages to create, and how many of these to parse, the newest ones. */
interface MessageLimits {
  readonly stored: number;
  readonly parsed: number;
}

/**
 * Plans the messages of each device between `since` and its last contact, at most as many as its organization's limit.
 * Returns those of all devices, oldest first.
 */
export function planMessages(
  devices: readonly DeviceRow[],
  limitsOf: (organization: string) => MessageLimits,
  healthyLevel: string,
  since: Date,
): readonly Receipt[] {
  const random = createRandom('messages');
  const receipts: Receipt[] = [];
  for (const device of devices) {
    if (!device.lastMessageReceivedAt) continue;
    const interval = (device.transmissionInterval ?? 3600) * 1000;
    const lossRate = device.healthLevel === healthyLevel ? LOSS_RATE.healthy : LOSS_RATE.unhealthy;
    const { stored, parsed } = limitsOf(device.organization);
    let receivedMs = device.lastMessageReceivedAt.getTime();
    for (let count = 0; count < stored && receivedMs > since.getTime(); receivedMs -= interval) {
      if (count > 0 && random.chance(lossRate)) continue;
      count += 1;
      receipts.push({ device, receivedMs, latency: random.between(1000, 20_000), isParsed: count <= parsed });
    }
  }
  return receipts.sort((a, b) => a.receivedMs - b.receivedMs);
}

/**
 * Builds the messages one at a time, with ids from 1, and sets each device's last message along the way.
 *
 * @param parserOf returns the parser of a device, whose results are stored with the messages
 */
export function* buildMessages(
  receipts: readonly Receipt[],
  parserOf: (device: DeviceRow) => SeededParser | undefined = () => undefined,
): Generator<MessageRow> {
  for (const [index, { device, receivedMs, latency, isParsed }] of receipts.entries()) {
    const row = messageRow(device, index + 1, receivedMs, latency, isParsed ? parserOf(device) : undefined);
    device.lastMessageId = row.id;
    device.lastMessageSentAt = row.sentAt;
    device.lastMessageReceivedAt = row.receivedAt;
    device.lastMessageBody = row.body;
    yield row;
  }
}

function messageRow(
  device: DeviceRow,
  id: number,
  receivedMs: number,
  latency: number,
  parser: SeededParser | undefined,
): MessageRow & { id: number } {
  const sentAt = new Date(Math.round(receivedMs - latency));
  const { content, result, metadata } = createPayload(
    { number: device.number, profile: device.metadata['profile'] as PayloadProfile },
    sentAt,
  );
  return {
    organization: device.organization,
    receivedAt: new Date(Math.round(receivedMs)),
    id,
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
