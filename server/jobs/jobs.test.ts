import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { recordTokenExpiry } from '#server/domains/integrations/token/expiry.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { startJobs } from './jobs.ts';

const DAY = 24 * 3600 * 1000;
let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const listAnnouncedEvents = async () => {
  const types = [EventType.TOKEN_EXPIRY_WARNING, EventType.TOKEN_EXPIRED];
  const { events } = await t
    .as('administrator')
    .client(EventService)
    .history({
      selection: { events: { include: types }, includeResolvedEvents: true },
    });
  return events.map((event) => event.description);
};

describe('token expiry', () => {
  test('is announced once two weeks ahead, and once when the token expires', async () => {
    const tokens = t.as('developer').client(TokenService);
    const in20Days = { textual: new Date(t.app.now().getTime() + 20 * DAY).toISOString() };
    await tokens.create({ name: 'nightly export', expiresAt: in20Days });
    await recordTokenExpiry(t.app);
    expect(await listAnnouncedEvents()).toEqual([]);

    t.advance(10 * DAY);
    await recordTokenExpiry(t.app);
    await recordTokenExpiry(t.app);
    expect(await listAnnouncedEvents()).toEqual([expect.stringContaining('"nightly export" expires on')]);

    t.advance(11 * DAY);
    await recordTokenExpiry(t.app);
    await recordTokenExpiry(t.app);
    expect(await listAnnouncedEvents()).toEqual([
      'Token "nightly export" has expired and no longer gives access.',
      expect.stringContaining('"nightly export" expires on'),
    ]);
  });
});

describe('the job schedule', () => {
  test('is stored in the database and survives a restart', async () => {
    for (const start of ['first', 'second']) {
      const jobs = await startJobs(t.app);
      const { rows } = await t.app.db.orm.execute(sql`select name from pgboss.schedule order by name`);
      expect(
        rows.map((row) => row.name),
        start,
      ).toEqual([
        'activity-upkeep',
        'export-expiry',
        'file-expiry',
        'health-expiry',
        'inactivity',
        'mail-upkeep',
        'message-summary',
        'outbox-upkeep',
        'parser-retries',
        'partition-upkeep',
        'rate-limit-upkeep',
        'tag-counts',
        'token-expiry',
        'vacuum',
      ]);
      await jobs.close();
    }
  });
});
