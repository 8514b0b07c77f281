import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { and, desc, eq } from 'drizzle-orm';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { ModemMessage_Source, ModemMessageSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { WebhookCall } from '#proto/gen/hiber/webhook_pb.ts';
import type { CallOutcomeSchema } from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import type { App } from '#server/app/app.ts';
import { type RateLimit, requireWithinLimit } from '#server/app/rate-limit.ts';
import type { Executor } from '#server/db/database.ts';
import { runToCompletion } from '#server/db/pool/work.ts';
import { publisherCall as calls } from '#server/db/schema/publisher.ts';
import { messageReceived } from '#server/domains/fleet/message/events.ts';
import { recordCall } from '#server/publishing/settle.ts';
import type { PublisherKey } from '#server/publishing/target.ts';
import { webhookCall } from '#server/publishing/targets/webhook/call.ts';
import { findWebhook } from '#server/publishing/targets/webhook/rows.ts';
import { createSender, DELIVERY_TIMEOUT_MS } from '#server/publishing/targets/webhook/send.ts';
import { callRecord } from '#server/publishing/targets/webhook/target.ts';
import { invalidArgument, notFound } from '#server/wire/errors.ts';
import { presentBytes, presentTimestamp } from '#server/wire/present.ts';

import { presentCall } from './history.ts';

/** Creates an event with a message from a fictional device, as protobuf bytes. */
export function testEvent(organization: string, now: Date): Uint8Array {
  const body = new TextEncoder().encode('Hello from Quarterdeck');
  const subject = {
    organization,
    number: '0000 0000',
    name: 'Test device',
    identifier: '',
    timeZone: 'UTC',
    tags: [],
    hidden: false,
  };
  const message = create(ModemMessageSchema, {
    modemNumber: subject.number,
    modemName: subject.name,
    sentAt: presentTimestamp(now),
    receivedAt: presentTimestamp(now),
    body,
    bodyBytes: presentBytes(body),
    isTest: true,
    sources: [ModemMessage_Source.TEST],
  });
  return toBinary(EventSchema, messageReceived(subject, now, message).event);
}

/** Finds the newest call for a delivery. */
export async function findRecordedCall(
  db: Executor,
  key: PublisherKey,
  deliveryId: string,
): Promise<{ delivery: number; body: Uint8Array }> {
  const delivery = Number(deliveryId);
  if (!/^\d+$/.test(deliveryId) || !Number.isSafeInteger(delivery)) {
    throw invalidArgument(`"${deliveryId}" isn't a delivery id. Use a whole number.`);
  }
  const [row] = await db
    .select({ body: calls.bodyProto })
    .from(calls)
    .where(and(eq(calls.organization, key.organization), eq(calls.publisher, key.id), eq(calls.delivery, delivery)))
    .orderBy(desc(calls.time), desc(calls.id))
    .limit(1);
  if (!row) throw notFound(`The history of webhook ${key.id} has no call for delivery ${deliveryId}.`);
  return { delivery, body: row.body };
}

/**
 * The limit for a webhook's tests and resends, shared by all callers. Both call a host that the caller chose.
 */
const manualCallLimit: RateLimit = { name: 'webhook-by-hand', burst: 10, intervalMs: 6000 };

/**
 * Calls the receiver immediately and records the call in the history, without affecting health, cooldown, or outbox.
 * Runs to completion if the caller hangs up. Otherwise, callers could call a receiver without leaving a trace.
 */
export async function sendNow(
  app: App,
  key: PublisherKey,
  body: Uint8Array,
  delivery: number | undefined,
): Promise<MessageInitShape<typeof CallOutcomeSchema> & { call: WebhookCall }> {
  const row = await findWebhook(app.db.orm, key);
  if (!row) throw notFound(`${key.organization} has no webhook with id ${key.id}.`);
  await requireWithinLimit(
    app.db.orm,
    manualCallLimit,
    `${key.organization}/${key.id}`,
    app.now(),
    `Webhook ${key.id} was tested or resent too many times recently`,
  );
  const call = webhookCall(row, body, delivery, app.secrets, app.config.version);
  const time = app.now();
  const sender = createSender({
    policy: { allowLoopback: app.config.allowLoopbackDeliveries },
    timeout: DELIVERY_TIMEOUT_MS,
  });
  try {
    const outcome = await sender.send(call, new AbortController().signal);
    const { successful } = outcome;
    const record = callRecord(call, outcome);
    await runToCompletion(() =>
      app.db.transaction((tx) => recordCall(tx, { key, delivery, call: record, successful, time, manual: true })),
    );
    return {
      call: presentCall({ ...record, successful, time }),
      status: outcome.status,
      latency: {
        seconds: BigInt(Math.floor(outcome.milliseconds / 1000)),
        nanos: (outcome.milliseconds % 1000) * 1_000_000,
      },
    };
  } finally {
    await sender.close();
  }
}
