// Fills the database of a test server as its users and jobs do, so the release's fixture has rows in every table.
import { setTimeout } from 'node:timers/promises';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EmailNotificationPreferencesService } from '#proto/gen/hiber/email_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { WebhookDeliveryService } from '#proto/gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';
import { startBackgroundWorkers } from '#server/start/background.ts';

import { startReceiver } from '../publishing.ts';
import type { TestServer } from '../server.ts';

const ORGANIZATION = 'northwind';

export async function fillDatabase(t: TestServer): Promise<void> {
  await configure(t);
  await admitPeople(t);
  await publish(t);
  await storeFiles(t);
  await t.app.activity.flush();
}

async function configure(t: TestServer): Promise<void> {
  const events = t.as('administrator').client(EventService);
  await events.updateEventHealthConfiguration({
    updates: [{ type: EventType.TOKEN_EXPIRY_WARNING, level: 'Alarm' }],
  });
  await events.updateEventConfiguration({ messageSummaryConfiguration: { enabled: true, period: { textual: '1d' } } });
  const preferences = { enabledNotifications: { include: [EventType.MESSAGE_RECEIVED, EventType.TOKEN_CREATED] } };
  await t.as('administrator').client(EmailNotificationPreferencesService).update(preferences);
  const tokens = t.as('administrator').client(TokenService);
  await tokens.create({ name: 'nightly export', roles: { include: ['viewer'] } });
  await tokens.create({ name: 'laptop', type: Token_Type.PERSONAL });
}

async function admitPeople(t: TestServer): Promise<void> {
  const users = t.as('administrator').client(UserService);
  await users.invite({ email: 'ada@example.com', roles: { include: ['operator'] } });
  await users.updateUserValidation({ emailValidationRegex: '.*\\.example(\\.com)?|.*@example.com' });
  await t.as('newcomer').client(CurrentUserService).requestAccess({ organization: ORGANIZATION });
  const selection = { roles: { include: ['viewer'] } };
  await t.as('developer').client(RoleService).override({ selection });
  const support = t.as('support').client(SupportService);
  await support.beginSupportSession({ organization: ORGANIZATION, reason: 'Ticket 7' });
  await support.allowChanges({ organization: ORGANIZATION });
  await support.issueCreationToken({ email: 'next@example.com' });
}

/** Delivers events by webhook and email, and leaves one delivery that waits. */
async function publish(t: TestServer): Promise<void> {
  const { pool } = t.app.db;
  const count = async (table: string) => (await pool.query(`select from ${table}`)).rowCount;
  const webhooks = t.as('administrator').client(WebhookService);
  const receiver = await startReceiver();
  const { rows } = await pool.query<{ number: string; tag: string }>(`select number, tag from device_tag
    join device using (organization, number) where organization = '${ORGANIZATION}' and lifecycle = 1 limit 1`);
  const { number, tag } = rows[0]!;
  const filters = { eventTypes: { include: [EventType.MESSAGE_RECEIVED] }, tags: { include: [BigInt(tag)] } };
  const { id } = await webhooks.create({ data: { url: receiver.url, secret: 's3cret' }, filters });
  await webhooks.updateTags({ webhookIds: [id], update: { newTagsToAdd: [{ name: 'Receivers', type: 'group' }] } });
  const push = (content: number) =>
    t
      .as('administrator')
      .client(TestingService)
      .pushModemMessages({ messages: [{ modemNumber: number, content: new Uint8Array([content]) }] });
  const workers = await startBackgroundWorkers(t.app, { rate: 0 });
  await push(1);
  await t.as('administrator').client(WebhookDeliveryService).test({ webhookId: id });
  while ((await count('publisher_call'))! < 2 || (await count('email_notification')) === 0) await setTimeout(50);
  await workers.close();
  await push(2);
  await receiver.close();
}

async function storeFiles(t: TestServer): Promise<void> {
  const files = (name: string) => [
    { name, mediaType: 'image/png', content: { case: 'dataRaw' as const, value: new Uint8Array([1, 2, 3]) } },
  ];
  const tag = { name: 'Gate', type: 'group' };
  await t
    .as('support')
    .client(TagService)
    .create({ organization: ORGANIZATION, create: tag, files: files('map') });
  const devices = t.as('administrator').client(DeviceService);
  const number = (await devices.list({})).devices[0]!.number;
  const selection = { modems: { include: [number] } };
  await devices.update({ devices: [{ selection, addFiles: files('plan'), secureNotes: 'Gate code 1234.' }] });
}
