import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { event } from '#server/db/schema/event.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { recordTokenExpiry } from './expiry.ts';

const { TOKEN_EXPIRED, TOKEN_EXPIRY_WARNING } = EventType;
const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;
const NORTH = 'northwind-north';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(async () => {
  await t.app.db.orm.delete(tokens);
  await t.app.db.orm.delete(event);
});
afterAll(() => t.close());

/** Fixed, so the tests can check due times to the millisecond. */
const now = new Date(Date.now() + HOUR);
const recordExpiry = () => recordTokenExpiry({ db: t.app.db, now: () => now });

const inMs = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const row = (name: string, id: number, expiresAt: Date | null, organization = 'northwind') => ({
  organization,
  id,
  name,
  userId: demoPerson('administrator').id,
  hash: new TextEncoder().encode(`${organization} ${id}`),
  type: Token_Type.SPECIFIC,
  expiresAt,
});

/** Lists the token names in the events of a type. */
async function listTokenNames(type: EventType, organization = 'northwind'): Promise<string[]> {
  const { events } = await t
    .as('administrator')
    .client(EventService)
    .history({ organization, selection: { events: { include: [type] }, includeResolvedEvents: true } });
  return events.map(({ description }) => /"(.*)"/.exec(description)?.[1] ?? '').toSorted();
}

const withKey = (organization: string, id: number) => and(eq(tokens.organization, organization), eq(tokens.id, id));

describe('token expiry events', () => {
  test('warn in the two weeks before the expiry, and report the expiry when it happens', async () => {
    await t.app.db.orm
      .insert(tokens)
      .values([
        row('never', 901, null),
        row('after two weeks', 902, inMs(14 * DAY + 1)),
        row('in two weeks', 903, inMs(14 * DAY)),
        row('soon', 904, inMs(1)),
        row('now', 905, inMs(0)),
        row('long ago', 906, inMs(-30 * DAY)),
      ]);
    await recordExpiry();
    expect(await listTokenNames(TOKEN_EXPIRY_WARNING)).toEqual(['in two weeks', 'soon']);
    expect(await listTokenNames(TOKEN_EXPIRED)).toEqual(['long ago', 'now']);
    await recordExpiry();
    expect(await listTokenNames(TOKEN_EXPIRY_WARNING)).toHaveLength(2);
    expect(await listTokenNames(TOKEN_EXPIRED)).toHaveLength(2);
  });

  test('are separate per organization, even for tokens with the same id', async () => {
    await t.app.db.orm.insert(tokens).values([
      row('here', 901, inMs(DAY)),
      row('there', 901, inMs(DAY), NORTH),
      row('ended there', 902, inMs(-DAY), NORTH),
      // Not due yet.
      row('ends here later', 902, inMs(20 * DAY)),
    ]);
    await recordExpiry();
    expect(await listTokenNames(TOKEN_EXPIRY_WARNING)).toEqual(['here']);
    expect(await listTokenNames(TOKEN_EXPIRY_WARNING, NORTH)).toEqual(['there']);
    expect(await listTokenNames(TOKEN_EXPIRED)).toEqual([]);
    expect(await listTokenNames(TOKEN_EXPIRED, NORTH)).toEqual(['ended there']);
    const [laterRow] = await t.app.db.orm.select().from(tokens).where(withKey('northwind', 902));
    expect([laterRow?.expiryWarnedAt, laterRow?.expiredNotifiedAt]).toEqual([null, null]);
    const [storedRow] = await t.app.db.orm.select().from(tokens).where(withKey(NORTH, 902));
    expect([storedRow?.expiryWarnedAt, storedRow?.expiredNotifiedAt]).toEqual([now, now]);
  });

  test('cover any number of tokens that are due', async () => {
    const many = Array.from({ length: 450 }, (_, index) => row(`${index}`, 1000 + index, inMs(-index)));
    await t.app.db.orm.insert(tokens).values(many);
    await recordExpiry();
    const events = await t.app.db.orm.select({ type: event.type }).from(event);
    expect(events.filter(({ type }) => type === TOKEN_EXPIRED)).toHaveLength(450);
    expect(events).toHaveLength(450);
  });
});
