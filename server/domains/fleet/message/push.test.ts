// Tests concurrent calls that share a transaction.
import type { JsonObject } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import pg, { type PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Modem_Lifecycle, ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import { TestingService } from '#proto/gen/hiber/testing_pb.ts';
import { withoutCaller } from '#server/db/pool/work.ts';
import { DEMO_ORGANIZATION } from '#server/demo/seed/people.ts';
import type { DeviceScope } from '#server/domains/fleet/device/model/where.ts';
import { eventually } from '#server/testkit/eventually.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import type { IncomingMessage } from './ingest.ts';
import { createMessagePush } from './push.ts';

let t: TestServer;
let numbers: string[];
beforeAll(async () => {
  t = await startTestServer();
  const { rows } = await t.app.db.orm.execute<{ number: string }>(sql`select number from device
    where organization = ${DEMO_ORGANIZATION} and lifecycle not in (0, 4, 5, 7) order by number limit 20`);
  numbers = rows.map(({ number }) => number);
});
afterAll(() => t.close());
beforeEach(() => t.app.db.orm.execute(sql`delete from message`));

const testing = () => t.as('administrator').client(TestingService);
const push = (number: string, content: number, { signal, ...fields }: PushOptions = {}) =>
  testing().pushModemMessages(
    { messages: [{ modemNumber: number, content: new Uint8Array([content]), ...fields }] },
    signal && { signal },
  );

interface PushOptions {
  readonly signal?: AbortSignal;
  readonly metadata?: JsonObject;
}

const neverAborted = () => new AbortController().signal;
const scope: DeviceScope = {
  home: DEMO_ORGANIZATION,
  organizations: [DEMO_ORGANIZATION],
  allLifecycles: false,
};
const message = (number: string, content: number): IncomingMessage => ({
  number,
  sentAt: new Date(),
  body: new Uint8Array([content]),
  source: ModemMessage_Source.TEST,
});

interface StoredMessage extends Record<string, unknown> {
  readonly number: string;
  readonly content: number;
  readonly transaction: string;
}

async function readMessages(): Promise<StoredMessage[]> {
  const { rows } = await t.app.db.orm.execute<StoredMessage>(sql`
    select number, get_byte(body, 0) as content, xmin::text as transaction from message order by id`);
  return rows;
}

/** Runs calls while no connection is free, so they all wait at the same time. */
async function runWhileBusy<T>(start: () => readonly Promise<T>[], doMeanwhile = (): void => undefined) {
  const { pool } = t.app.db;
  const clients: PoolClient[] = await withoutCaller(() =>
    Promise.all(Array.from({ length: pool.options.max }, () => pool.connect())),
  );
  const outcomes = Promise.allSettled(start());
  await new Promise((resolve) => setTimeout(resolve, 50));
  doMeanwhile();
  for (const client of clients) client.release();
  return outcomes;
}

test('concurrent calls share transactions, and each gets a response', async () => {
  const outcomes = await runWhileBusy(() => numbers.map((number, index) => push(number, index)));
  expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
  const storedRows = await readMessages();
  expect(storedRows.map(({ number }) => number).toSorted()).toEqual(numbers);
  expect(new Set(storedRows.map(({ transaction }) => transaction)).size).toBeLessThan(numbers.length / 2);
});

test("a device's messages are stored in the order of the calls", async () => {
  const [number = ''] = numbers;
  const store = createMessagePush(t.app);
  const contents = Array.from({ length: 20 }, (_, index) => index);
  await runWhileBusy(() =>
    contents.map((content) => store({ scope, messages: [message(number, content)] }, neverAborted())),
  );
  expect((await readMessages()).map(({ content }) => content)).toEqual(contents);
});

test('a call that names a missing device fails without affecting the other calls', async () => {
  const [first = '', second = ''] = numbers;
  const outcomes = await runWhileBusy(() => [push(first, 1), push('FFFF FFFF', 2), push(second, 3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { message: '[not_found] northwind has no device FFFF FFFF.' } });
  // The calls arrive in any order.
  expect(new Set((await readMessages()).map(({ content }) => content))).toEqual(new Set([1, 3]));
});

test("a call with content that can't be stored fails without affecting the other calls", async () => {
  const outcomes = await runWhileBusy(() =>
    numbers.map((number, index) => push(number, index, index === 7 ? { metadata: { text: '\0' } } : {})),
  );
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
  expect(outcomes[7]).toMatchObject({ reason: { message: expect.stringContaining('NUL') as string } });
  expect(await readMessages()).toHaveLength(numbers.length - 1);
});

test('a caller who hangs up does not cancel the other calls', async () => {
  const caller = new AbortController();
  const outcomes = await runWhileBusy(
    () => numbers.map((number, index) => push(number, index, index === 3 ? { signal: caller.signal } : {})),
    () => caller.abort(),
  );
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([3]);
  // The canceled call may have been stored with its group.
  await eventually(async () => {
    const contents = (await readMessages()).map(({ content }) => content);
    expect(contents.filter((content) => content !== 3)).toHaveLength(numbers.length - 1);
  });
});

test('callers that share a transaction reach only devices that they may see', async () => {
  const [number = '', hiddenNumber = ''] = numbers;
  const store = createMessagePush(t.app);
  const setLifecycle = (lifecycle: Modem_Lifecycle) =>
    t.app.db.orm.execute(sql`update device set lifecycle = ${lifecycle} where number = ${hiddenNumber}`);
  await setLifecycle(Modem_Lifecycle.DEFECTIVE);
  const outcomes = await runWhileBusy(() => [
    store({ scope, messages: [message(number, 1)] }, neverAborted()),
    store({ scope, messages: [message(hiddenNumber, 2)] }, neverAborted()),
    store({ scope: { ...scope, allLifecycles: true }, messages: [message(hiddenNumber, 3)] }, neverAborted()),
  ]);
  await setLifecycle(Modem_Lifecycle.INSTALLED);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await readMessages()).map(({ content }) => content)).toEqual([1, 3]);
});

// The embedded database runs one transaction at a time, so calls never wait for a lock there.
test.runIf(process.env['TEST_DATABASE_URL'])('a locked device delays only the calls that name it', async () => {
  const [lockedNumber = '', ...otherNumbers] = numbers;
  const holder = new pg.Client(t.app.db.pool.options);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from device where organization = $1 and number = $2 for update', [
    DEMO_ORGANIZATION,
    lockedNumber,
  ]);
  let lockedPush: Promise<unknown> = Promise.resolve();
  try {
    const outcomes = await runWhileBusy(() => {
      lockedPush = push(lockedNumber, 0);
      return otherNumbers.map((number, index) => push(number, index + 1));
    });
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    // Later calls do not wait for it either.
    await push(otherNumbers[0] ?? '', 100);
    expect((await readMessages()).map(({ number }) => number)).not.toContain(lockedNumber);
  } finally {
    await holder.end();
  }
  await lockedPush;
  expect((await readMessages()).map(({ number }) => number)).toContain(lockedNumber);
});

test.runIf(process.env['TEST_DATABASE_URL'])(
  'calls for a locked device hold no connection while they wait',
  async () => {
    const [lockedNumber = '', otherNumber = ''] = numbers;
    const { pool } = t.app.db;
    const holder = new pg.Client(pool.options);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from device where organization = $1 and number = $2 for update', [
      DEMO_ORGANIZATION,
      lockedNumber,
    ]);
    const store = createMessagePush(t.app);
    const largeBatch = Array.from({ length: 500 }, () => message(lockedNumber, 2));
    const contents = Array.from({ length: 2 * pool.options.max }, (_, index) => index);
    const lockedPushes: Promise<unknown>[] = [];
    try {
      // Each call forms its own group because the previous group starts before the call arrives.
      for (const content of contents) {
        lockedPushes.push(push(lockedNumber, content));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      lockedPushes.push(...contents.map(() => store({ scope, messages: largeBatch }, neverAborted())));
      await new Promise((resolve) => setTimeout(resolve, 300));
      const { rows } = await holder.query<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toEqual([{ count: 0 }]);
      await push(otherNumber, 100);
      expect((await readMessages()).map(({ content }) => content)).toEqual([100]);
    } finally {
      await holder.end();
    }
    await Promise.all(lockedPushes);
    const storedRows = (await readMessages()).filter(({ content }) => content !== 100 && content !== 2);
    expect(storedRows.length).toBe(contents.length - 1);
  },
);

test('a large call gets its own transaction', async () => {
  const [number = '', otherNumber = ''] = numbers;
  const store = createMessagePush(t.app);
  const largeBatch = Array.from({ length: 500 }, () => message(otherNumber, 1));
  await runWhileBusy(() => [
    store({ scope, messages: [message(number, 0)] }, neverAborted()),
    store({ scope, messages: largeBatch }, neverAborted()),
    store({ scope, messages: [message(number, 2)] }, neverAborted()),
  ]);
  const transactions = new Map((await readMessages()).map(({ content, transaction }) => [content, transaction]));
  expect(transactions.get(0)).toBe(transactions.get(2));
  expect(transactions.get(1)).not.toBe(transactions.get(0));
});

test('rejects a large call that names a missing device', async () => {
  const largeBatch = [...Array.from({ length: 500 }, () => message(numbers[0] ?? '', 1)), message('FFFF FFFF', 1)];
  await expect(createMessagePush(t.app)({ scope, messages: largeBatch }, neverAborted())).rejects.toThrow(
    'has no device FFFF FFFF',
  );
  expect(await readMessages()).toEqual([]);
});
