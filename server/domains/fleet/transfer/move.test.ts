// Tests what a transfer deletes, that it does all or nothing, and that it works while messages arrive.
import { Code, ConnectError } from '@connectrpc/connect';
import { getTableColumns, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { MAX_TRANSFER_DEVICES } from '#commands/text/lengths.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { TransferService } from '#proto/gen/hiber/transfer_pb.ts';
import { device } from '#server/db/schema/device.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { CHUNK, KEPT_COLUMNS } from './move.ts';

const HOME = 'northwind';
const NORTH = 'northwind-north';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const transfers = () => t.as('administrator').client(TransferService);
const send = (numbers: readonly string[], { from = HOME, to = NORTH } = {}) =>
  transfers().transfer({
    organization: from,
    recipientOrganizationOrCreate: { case: 'recipientOrganization', value: to },
    type: { case: 'devices', value: { modems: { include: [...numbers] } } },
  });

async function findNumbers(count: number): Promise<string[]> {
  const { rows } = await t.app.db.orm.execute<{ number: string }>(sql`
    select number from device where organization = ${HOME} and lifecycle = ${Modem_Lifecycle.INSTALLED}
     order by number limit ${count}`);
  expect(rows).toHaveLength(count);
  return rows.map(({ number }) => number);
}

/**
 * Lists the tables with a column, except partitions, and except the plans of exports in progress, which belong to the
 * export and find no more data of the device.
 */
async function listTables(column: string): Promise<string[]> {
  const { rows } = await t.app.db.orm.execute<{ name: string }>(sql`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attname = ${column} and c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace and c.relname <> 'export_segment' order by 1`);
  return rows.map(({ name }) => name);
}

/** Finds the tables in which the organization has a row about the device. */
async function findTables(organization: string, number: string): Promise<string[]> {
  const tables: string[] = [];
  for (const name of await listTables('number')) {
    const { rows } = await t.app.db.orm.execute(sql`
      select 1 from ${sql.identifier(name)} where organization = ${organization} and number = ${number} limit 1`);
    if (rows.length > 0) tables.push(name);
  }
  return tables;
}

/** Stores something about the device in every table. */
async function fillTables(number: string): Promise<void> {
  const { orm } = t.app.db;
  const now = t.app.now().toISOString();
  const key = sql`organization, number`;
  const values = sql`${HOME}, ${number}`;
  const tag = await t
    .as('administrator')
    .client(TagService)
    .create({ create: { name: 'Leaving' } });
  await orm.execute(sql`insert into parser_retry (organization, identifier, messages, suppress_events, leased_until)
    values (${HOME}, 'retry', '{1}', true, ${now})`);
  await orm.execute(sql`insert into device_tag (${key}, tag) values (${values}, ${Number(tag.id)})`);
  await orm.execute(sql`insert into process_point (organization, identifier, name) values (${HOME}, 'well', 'Well')`);
  await orm.execute(sql`insert into process_point_device (${key}, point, since) values (${values}, 'well', ${now})`);
  await orm.execute(
    sql`insert into parser_device (${key}, parser, owner, since) values (${values}, 'p', ${HOME}, ${now})`,
  );
  await orm.execute(sql`insert into value (${key}, time, field, message, parser, type, operational)
    values (${values}, ${now}, 'f', 1, 'p', 0, false)`);
  await orm.execute(sql`insert into latest_value (${key}, time, field, message, parser, type, operational)
    values (${values}, ${now}, 'f', 1, 'p', 0, false)`);
  await orm.execute(sql`insert into device_condition (${key}, source, health_level, since)
    select ${values}, 'alarm', level, ${now} from health_level where organization = ${HOME} limit 1`);
  for (const file of ['shared', 'own']) {
    await orm.execute(
      sql`insert into file (organization, identifier, name, media_type) values (${HOME}, ${file}, ${file}, 'text/plain')`,
    );
    await orm.execute(sql`insert into device_file (${key}, file) values (${values}, ${file})`);
  }
  await orm.execute(sql`insert into device_note (${key}, id, message, time, author)
    values (${values}, 1, 'Private', ${now}, 'us')`);
  await orm.execute(
    sql`insert into file (organization, identifier, name, media_type) values (${HOME}, 'noted', 'noted', 'text/plain')`,
  );
  await orm.execute(sql`insert into device_note_file (${key}, note, file, position) values (${values}, 1, 'noted', 0)`);
  await orm.execute(sql`insert into tag_file (organization, tag, file) values (${HOME}, ${Number(tag.id)}, 'shared')`);
  await orm.execute(sql`insert into message_simulation (${key}, next_run) values (${values}, ${now})`);
  await orm.execute(sql`insert into value_simulation
    (${key}, field, field_identifier, parser, owner, type, rotation, interval_seconds, next_run)
    values (${values}, 'f', 'f', 'p', ${HOME}, 0, '[1]', 60, ${now})`);
  await orm.execute(
    sql`insert into location_simulation (${key}, interval_seconds, next_run) values (${values}, 60, ${now})`,
  );
  await orm.execute(sql`insert into parser_retry_device (${key}, parser, retry)
    values (${values}, 'p', 'retry')`);
  await orm.execute(sql`update device set notes = 'private', secure_notes = 'sealed', metadata = '{"owner": "us"}',
    latitude = 1, longitude = 2, gateway = 'FFFF FFFF' where organization = ${HOME} and number = ${number}`);
}

const TABLES_WITHOUT_FOREIGN_KEY = ['event', 'message', 'parser_retry_device', 'transfer_device', 'value'];

test('a foreign key to the device deletes the rows of every table that the transfer does not clear itself', async () => {
  const { rows } = await t.app.db.orm.execute<{ name: string }>(sql`
    with recursive cascading as (
      select 'device'::regclass::oid as relation
       union
      select conrelid from pg_constraint join cascading on confrelid = relation
       where contype = 'f' and confdeltype = 'c'
    )
    select relation::regclass::text as name from cascading`);
  const cascading = rows.map(({ name }) => name);
  expect([...cascading, ...TABLES_WITHOUT_FOREIGN_KEY].toSorted()).toEqual(await listTables('number'));
});

test('every column of a device is either kept or reset', async () => {
  const reset =
    'organization lifecycle healthLevel gateway gatewayBrand notes secureNotes metadata latitude longitude timeZone ' +
    'expectedTransmissionRate numericValueTypes valveOpen valveLineStatus lastMessageId lastMessageSentAt ' +
    'lastMessageReceivedAt lastMessageBody createdAt updatedAt';
  expect([...KEPT_COLUMNS, ...reset.split(' ')].toSorted()).toEqual(Object.keys(getTableColumns(device)).toSorted());
});

test('the sender keeps nothing about the device except its transfer', async () => {
  const [number = ''] = await findNumbers(1);
  const { orm } = t.app.db;
  await fillTables(number);
  const filled = (await listTables('number')).filter((name) => name !== 'transfer_device');
  expect(await findTables(HOME, number)).toEqual(filled);
  const { transfer } = await send([number]);
  expect(await findTables(HOME, number)).toEqual(['transfer_device']);
  expect(await findTables(NORTH, number)).toEqual(['device', 'device_search', 'transfer_device']);
  const { rows } = await orm.execute(sql`select notes, secure_notes, metadata, latitude, gateway, last_message_id
    from device where number = ${number}`);
  expect(rows).toEqual([
    { notes: '', secure_notes: '', metadata: {}, latitude: null, gateway: null, last_message_id: null },
  ]);
  const files = await orm.execute(sql`select identifier from file where organization = ${HOME}`);
  expect(files.rows).toEqual([{ identifier: 'shared' }]);
  const pending = await orm.execute(sql`select 1 from publisher_delivery d where organization = ${HOME} and not exists (
    select from event where organization = d.organization and time = d.event_time and id = d.event_id)`);
  expect(pending.rows).toEqual([]);
  // Sent on, the device leaves the transfers behind.
  await send([number], { from: NORTH, to: 'northwind-permian' });
  const remaining = await orm.execute(sql`select type, count(*)::int as count from event
    where organization = ${NORTH} and type = ${EventType.TRANSFER} group by 1`);
  expect(remaining.rows).toEqual([{ type: EventType.TRANSFER, count: 2 }]);
  expect(transfer?.typed.value?.numbers).toEqual([number]);
});

test('the counts of tags stay right', async () => {
  const numbers = await findNumbers(4);
  const tag = await t
    .as('administrator')
    .client(TagService)
    .create({ create: { name: 'Counted' } });
  await t.app.db.orm.execute(sql`insert into device_tag (organization, number, tag)
    select ${HOME}, number, ${Number(tag.id)} from unnest(${sql.param(numbers)}::text[]) as number`);
  await send(numbers.slice(1));
  const { rows } = await t.app.db.orm.execute(sql`
    select coalesce(stored.devices, 0) as stored, coalesce(actual.devices, 0) as actual
      from (select organization, tag, lifecycle, health_level, sum(devices)::int as devices from tag_device_count
             group by 1, 2, 3, 4) as stored
      full join (select organization, tag, lifecycle, health_level, count(*)::int as devices
             from device_tag join device using (organization, number) group by 1, 2, 3, 4) as actual
      using (organization, tag, lifecycle, health_level)`);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ stored, actual }) => stored !== actual)).toEqual([]);
});

/** Summarizes the rows of both organizations in every table. */
async function fingerprint(): Promise<Record<string, string>> {
  const summary: Record<string, string> = {};
  for (const name of await listTables('organization')) {
    const { rows } = await t.app.db.orm.execute<{ digest: string }>(sql`
      select count(*) || ' ' || coalesce(md5(string_agg(row::text, '' order by row::text)), '') as digest
        from ${sql.identifier(name)} as row where organization in (${HOME}, ${NORTH})`);
    summary[name] = rows[0]?.digest ?? '';
  }
  return summary;
}

test.each([
  [
    'its last statement fails',
    'before insert on event',
    "when (new.organization = 'northwind-north' and new.type = 18)",
  ],
  ['its commit fails', 'after insert on transfer deferrable initially deferred', ''],
])('a transfer changes nothing if %s', async (_case, timing, condition) => {
  const numbers = await findNumbers(2);
  const { pool } = t.app.db;
  await pool.query(`create function fail() returns trigger language plpgsql as $$
    begin raise exception 'The disk is full.'; end $$`);
  const kind = timing.startsWith('after') ? 'constraint trigger' : 'trigger';
  const table = timing.includes('event') ? 'event' : 'transfer';
  try {
    await pool.query(`create ${kind} fail_transfer ${timing} for each row ${condition} execute function fail()`);
    const before = await fingerprint();
    await expect(send(numbers)).rejects.toMatchObject({ code: Code.Internal });
    expect(await fingerprint()).toEqual(before);
  } finally {
    await pool.query(`drop trigger if exists fail_transfer on ${table}`);
    await pool.query('drop function fail()');
  }
  await send(numbers);
  expect(await findTables(HOME, numbers[0] ?? '')).toEqual(['transfer_device']);
});

test('messages that arrive during a transfer are stored in the right organization or rejected', async () => {
  const [moving = '', staying = ''] = await findNumbers(2);
  const testing = t.as('administrator').client(TestingService);
  const push = async (organization: string, modemNumber: string, content: number) => {
    try {
      const messages = [{ modemNumber, content: new Uint8Array([content]) }];
      await testing.pushModemMessages({ organization, messages });
      return { content };
    } catch (error) {
      return { content, error: ConnectError.from(error) };
    }
  };
  const pushes = (organization: string, number: string) =>
    Array.from({ length: 30 }, async (_, content) => {
      await new Promise((resolve) => setTimeout(resolve, content * 5));
      return push(organization, number, content);
    });
  const transfer = new Promise((resolve) => setTimeout(resolve, 60)).then(() => send([moving]));
  const [, toSender, toStaying, toRecipient] = await Promise.all([
    transfer,
    Promise.all(pushes(HOME, moving)),
    Promise.all(pushes(HOME, staying)),
    Promise.all(pushes(NORTH, moving)),
  ]);
  toRecipient.push(await push(NORTH, moving, 99));
  toSender.push(await push(HOME, moving, 100));
  const errors = [...toSender, ...toRecipient].flatMap(({ error }) => error ?? []);
  expect(new Set(errors.map(({ code }) => code))).toEqual(new Set([Code.NotFound]));
  expect(toStaying.filter(({ error }) => error)).toEqual([]);
  const stored = async (organization: string, number: string) => {
    const { rows } = await t.app.db.orm.execute<{ content: number }>(sql`
      select get_byte(body, 0) as content from message
       where organization = ${organization} and number = ${number} and length(body) = 1`);
    return rows.map(({ content }) => content).toSorted((a, b) => a - b);
  };
  const accepted = toRecipient.flatMap(({ content, error }) => (error ? [] : [content]));
  expect(await stored(HOME, moving)).toEqual([]);
  expect(await stored(NORTH, moving)).toEqual(accepted.toSorted((a, b) => a - b));
  expect(await stored(HOME, staying)).toHaveLength(30);
  expect(toSender.at(-1)?.error?.message).toContain(`${HOME} has no device ${moving}`);
});

test('two concurrent transfers of a device move it once', async () => {
  const [number = '', other = ''] = await findNumbers(2);
  const outcomes = await Promise.allSettled([send([number, other]), send([number], { to: 'northwind-permian' })]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const { rows } = await t.app.db.orm.execute(sql`select count(*)::int as count from device where number = ${number}`);
  expect(rows).toEqual([{ count: 1 }]);
});

test(`a transfer has at most ${MAX_TRANSFER_DEVICES} devices, and moves them in several statements`, async () => {
  const moving = 2 * CHUNK + 1;
  await t.app.db.orm.execute(sql`
    insert into device (organization, number, name, type, lifecycle, health_level, device_type)
    select ${HOME}, 'EEEE ' || upper(lpad(to_hex(i), 4, '0')), 'Bulk', 3, ${Modem_Lifecycle.INSTALLED}, level,
      case when i <= ${moving} then 'moving' else 'staying' end
      from generate_series(1, ${MAX_TRANSFER_DEVICES + 1}) as i
      cross join (select level from health_level where organization = ${HOME} order by severity limit 1) as mildest`);
  const sendTypes = (...include: string[]) =>
    transfers().transfer({
      recipientOrganizationOrCreate: { case: 'recipientOrganization', value: NORTH },
      type: { case: 'devices', value: { deviceTypes: { include } } },
    });
  await expect(sendTypes('moving', 'staying')).rejects.toThrow(`more than ${MAX_TRANSFER_DEVICES} devices`);
  const { transfer } = await sendTypes('moving');
  expect(transfer?.typed.value?.numbers).toHaveLength(moving);
  const { rows } = await t.app.db.orm.execute(
    sql`select organization, count(*)::int as count from device where name = 'Bulk' group by 1 order by 1`,
  );
  expect(rows).toEqual([
    { organization: HOME, count: MAX_TRANSFER_DEVICES + 1 - moving },
    { organization: NORTH, count: moving },
  ]);
});
