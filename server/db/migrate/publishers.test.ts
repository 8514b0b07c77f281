// Migrates a database that still has separate state, outbox, and history tables for webhooks.
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { reserveId } from '#server/db/ids.ts';
import { webhook } from '#server/db/schema/webhook.ts';
import { claimPublishers, listNextDeliveries } from '#server/publishing/outbox.ts';
import { contractPolicy } from '#server/publishing/policy.ts';
import { selectWebhooks } from '#server/publishing/targets/webhook/rows.ts';
import { openEarlierDatabase } from '#server/testkit/database.ts';

import { migrate } from './migrate.ts';

const now = new Date('2026-11-20T12:00:00Z');
let db: Database;
beforeAll(async () => {
  db = await openEarlierDatabase('0008_natural_order');
  await db.pool.query(`
    insert into organization (id, path, display_name) values ('acme', '{acme}', 'Acme'), ('bravo', '{bravo}', 'Bravo');
    insert into counter (organization, noun, value) values ('acme', 'webhook', 7), ('acme', 'tag', 3);
    insert into tag (organization, id, name, type) values ('acme', 1, 'Needs visit', 'group');
    insert into webhook (organization, id, description, url, secret, custom_headers, created_by) values
      ('bravo', 1, 'Theirs', 'https://bravo.example/', null, '{}', 'bob');
    insert into webhook (organization, id, url, disabled, event_filter, device_filter, tag_filter, health_levels,
      all_lifecycles, health_warning_period, health_warning_failure_percentage, cooldown_step, in_cooldown_until,
      failing_since, last_call_failed, auto_disabled, auto_disable_suspended_until, lease_owner, lease_until) values
      ('acme', 1, 'https://acme.example/1', true, '{"include":[1],"exclude":[2]}', '{"include":["A"],"exclude":["B"]}',
        '{"include":[3],"exclude":[4]}', '{Alarm}', true, 60, 20, 3, '2026-11-20T13:00Z', '2026-11-19T12:00Z', true, true,
        '2026-11-25T12:00Z', 'process-1', '2026-11-20T12:00:05Z'),
      ('acme', 2, 'https://acme.example/2', false, default, default, default, default, default, default, default, default,
        default, default, default, default, default, null, '2026-11-20T11:00Z');
    insert into webhook_tag values ('acme', 1, 1);
    insert into webhook_delivery (organization, webhook, event_time, event_id, attempts, next_attempt_at) values
      ('acme', 2, '2026-11-20T11:00Z', 11, 10, '2026-11-20T11:30Z'), ('acme', 2, '2026-11-20T11:01Z', 12, 0, null),
      ('bravo', 1, '2026-11-20T11:02Z', 13, 0, null), ('acme', 2, '2026-11-20T11:03Z', 14, 2, null);
    insert into email_pending (organization, users, happenings) values ('bravo', '{ann}', '[]'), ('bravo', '{bob}', '[]');
    create table webhook_call_default partition of webhook_call default;
    create table webhook_call_w20261116 partition of webhook_call for values from ('2026-11-16') to ('2026-11-23');
    insert into webhook_call (organization, time, webhook, delivery, url, headers, body_proto, body_json, status,
      successful, error, manual, milliseconds) values
      ('acme', '2026-11-20T10:00Z', 2, 1, 'https://acme.example/2', '{"A":""}', 'p', '{}', 500, false, 'HTTP 500', false, 9),
      ('acme', '2020-11-20T10:00Z', 2, null, 'https://acme.example/2', '{}', 'q', '{}', 204, true, '', true, 8)`);
  await migrate(db, now);
});
afterAll(() => db.close());

const rows = async (query: string) => (await db.pool.query<Record<string, unknown>>(query)).rows;

test('turns every webhook into a publisher with its settings and state', async () => {
  const webhooks = await selectWebhooks(db.orm).orderBy(webhook.organization, webhook.id);
  const noFilter = { include: [], exclude: [] };
  expect(webhooks).toMatchObject([
    {
      organization: 'acme',
      id: 1,
      kind: 'webhook',
      url: 'https://acme.example/1',
      disabled: true,
      eventFilter: { include: [1], exclude: [2] },
      deviceFilter: { include: ['A'], exclude: ['B'] },
      tagFilter: { include: [3], exclude: [4] },
      healthLevels: ['Alarm'],
      allLifecycles: true,
      healthWarningPeriod: 60,
      healthWarningFailurePercentage: 20,
      cooldownStep: 3,
      inCooldownUntil: new Date('2026-11-20T13:00:00Z'),
      failingSince: new Date('2026-11-19T12:00:00Z'),
      lastCallFailed: true,
      autoDisabled: true,
      autoDisableSuspendedUntil: new Date('2026-11-25T12:00:00Z'),
      leaseOwner: 'process-1',
      leaseUntil: new Date('2026-11-20T12:00:05Z'),
    },
    { organization: 'acme', id: 2, disabled: false, eventFilter: noFilter, healthLevels: [], leaseOwner: null },
    { organization: 'bravo', id: 1, kind: 'webhook', description: 'Theirs', createdBy: 'bob', cooldownStep: 0 },
  ]);
  expect(await rows('select * from webhook_tag')).toMatchObject([{ organization: 'acme', tag: 1 }]);
});

test('keeps the order of pending deliveries and the turns of webhooks', async () => {
  const claimedPublishers = await claimPublishers(db, {
    kind: 'webhook',
    owner: 'a',
    lease: 60,
    limit: 1,
    perOrganization: 8,
    now,
  });
  expect(claimedPublishers.map(({ organization, id }) => [organization, id])).toEqual([['acme', 2]]);
  const dueDeliveries = await listNextDeliveries(db.orm, contractPolicy, { organization: 'acme', id: 2 }, now, 10);
  // The first delivery has lost its position.
  expect(dueDeliveries.map(({ id, attempts }) => [id, attempts])).toEqual([
    [2, 0],
    [4, 2],
    [1, 10],
  ]);
});

test('moves pending emails to the email publisher', async () => {
  const claimedPublishers = await claimPublishers(db, {
    kind: 'mail',
    owner: 'a',
    lease: 60,
    limit: 9,
    perOrganization: 8,
    now,
  });
  expect(claimedPublishers.map(({ organization, id }) => [organization, id])).toEqual([['bravo', 0]]);
  expect(await listNextDeliveries(db.orm, contractPolicy, { organization: 'bravo', id: 0 }, now, 10)).toEqual([
    { id: 5, attempts: 0, isStale: false },
  ]);
  expect(await rows('select users from email_pending order by id')).toEqual([{ users: ['ann'] }, { users: ['bob'] }]);
});

test('continues the id sequences', async () => {
  expect(await reserveId(db.orm, 'acme', 'publisher')).toBe(8);
  expect(await reserveId(db.orm, 'acme', 'tag')).toBe(4);
  expect(
    await rows(`select nextval('publisher_delivery_id') as delivery, nextval('publisher_call_id') as call`),
  ).toEqual([{ delivery: 6, call: 3 }]);
});

test('keeps the calls in the history', async () => {
  expect(
    await rows(`select *, tableoid::regclass::text as partition
    from publisher_call order by time desc`),
  ).toMatchObject([
    {
      id: 1,
      publisher: 2,
      delivery: 1,
      status: 500,
      error: 'HTTP 500',
      headers: { A: '' },
      partition: 'publisher_call_w20261116',
    },
    { id: 2, publisher: 2, delivery: null, status: 204, manual: true, partition: 'publisher_call_default' },
  ]);
});

test('deletes the publishers and pending deliveries of a deleted organization', async () => {
  await db.pool.query(`delete from organization where id = 'acme'`);
  for (const table of ['publisher', 'webhook', 'publisher_delivery'])
    expect(await rows(`select distinct organization from ${table}`), table).toEqual([{ organization: 'bravo' }]);
});
