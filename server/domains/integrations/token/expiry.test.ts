import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { and, eq } from 'drizzle-orm';
import { event } from '#server/db/schema/event.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { tellOfExpiry } from './expiry.ts';

const { TOKEN_EXPIRED, TOKEN_EXPIRY_WARNING } = EventType;
const HOUR = 3600 * 1000;
const day = 24 * HOUR;
const NORTH = 'northwind-north';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(async () => {
  await t.app.db.orm.delete(tokens);
  await t.app.db.orm.delete(event);
});
afterAll(() => t.close());

/** The clock of the tests below stands still, so that what is due to the millisecond can be told. */
const now = new Date(Date.now() + HOUR);
const tell = () => tellOfExpiry({ db: t.app.db, now: () => now });

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

/** Names of the tokens that events of a type are about. */
async function toldOf(type: EventType, organization = 'northwind'): Promise<string[]> {
  const { events } = await t
    .as('administrator')
    .client(EventService)
    .history({ organization, selection: { events: { include: [type] }, includeResolvedEvents: true } });
  return events.map(({ description }) => /"(.*)"/.exec(description)?.[1] ?? '').toSorted();
}

const one = (organization: string, id: number) => and(eq(tokens.organization, organization), eq(tokens.id, id));

describe('what is told of tokens that expire', () => {
  it('is a warning within two weeks, and the end when it comes', async () => {
    await t.app.db.orm
      .insert(tokens)
      .values([
        row('never', 901, null),
        row('after two weeks', 902, inMs(14 * day + 1)),
        row('in two weeks', 903, inMs(14 * day)),
        row('soon', 904, inMs(1)),
        row('now', 905, inMs(0)),
        row('long ago', 906, inMs(-30 * day)),
      ]);
    await tell();
    expect(await toldOf(TOKEN_EXPIRY_WARNING)).toEqual(['in two weeks', 'soon']);
    expect(await toldOf(TOKEN_EXPIRED)).toEqual(['long ago', 'now']);
    await tell();
    expect(await toldOf(TOKEN_EXPIRY_WARNING)).toHaveLength(2);
    expect(await toldOf(TOKEN_EXPIRED)).toHaveLength(2);
  });

  it('is told of each organization apart, though its tokens share their numbers with others', async () => {
    await t.app.db.orm.insert(tokens).values([
      row('here', 901, inMs(day)),
      row('there', 901, inMs(day), NORTH),
      row('ended there', 902, inMs(-day), NORTH),
      // Not due, and told of when it is.
      row('ends here later', 902, inMs(20 * day)),
    ]);
    await tell();
    expect(await toldOf(TOKEN_EXPIRY_WARNING)).toEqual(['here']);
    expect(await toldOf(TOKEN_EXPIRY_WARNING, NORTH)).toEqual(['there']);
    expect(await toldOf(TOKEN_EXPIRED)).toEqual([]);
    expect(await toldOf(TOKEN_EXPIRED, NORTH)).toEqual(['ended there']);
    const [later] = await t.app.db.orm.select().from(tokens).where(one('northwind', 902));
    expect([later?.expiryWarnedAt, later?.expiredNotifiedAt]).toEqual([null, null]);
    const [told] = await t.app.db.orm.select().from(tokens).where(one(NORTH, 902));
    expect([told?.expiryWarnedAt, told?.expiredNotifiedAt]).toEqual([now, now]);
  });

  it('is told of all that are due, however many', async () => {
    const many = Array.from({ length: 450 }, (_, index) => row(`${index}`, 1000 + index, inMs(-index)));
    await t.app.db.orm.insert(tokens).values(many);
    await tell();
    const events = await t.app.db.orm.select({ type: event.type }).from(event);
    expect(events.filter(({ type }) => type === TOKEN_EXPIRED)).toHaveLength(450);
    expect(events).toHaveLength(450);
  });
});
