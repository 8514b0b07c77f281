import { Code } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  // Creating a tag raises the error named by the tag, inside the server's own transaction.
  await t.app.db.orm.execute(sql`
    create function fail_as_named() returns trigger language plpgsql as $$
    begin
      if new.name like 'fail %' then raise exception 'could not do it' using errcode = substr(new.name, 6); end if;
      return new;
    end $$`);
  await t.app.db.orm.execute(
    sql`create trigger fail before insert on tag for each row execute function fail_as_named()`,
  );
});
afterAll(() => t.close());

const create = (name: string) => t.as('administrator').client(TagService).create({ create: { name } });

describe('a call that fails in the database', () => {
  test.each([
    ['53100', Code.ResourceExhausted, 'disk'],
    ['53200', Code.ResourceExhausted, 'memory'],
    ['53300', Code.Unavailable, 'busy'],
    ['08006', Code.Unavailable, "can't reach"],
    ['57P01', Code.Unavailable, "can't reach"],
    ['25006', Code.Unavailable, 'read'],
    ['58030', Code.Unavailable, 'disk'],
    ['54001', Code.ResourceExhausted, 'Request less'],
    ['57014', Code.DeadlineExceeded, '15 s'],
    ['55P03', Code.Aborted, 'Try again'],
    ['40001', Code.Aborted, 'Try again'],
    ['40P01', Code.Aborted, 'Try again'],
    ['23503', Code.Aborted, 'Try again'],
    ['23505', Code.Aborted, 'Try again'],
  ])('returns a readable error for %s', async (state, code, text) => {
    const error = await create(`fail ${state}`).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, rawMessage: expect.stringContaining(text) });
  });

  test('leaves the server working', async () => {
    await create('works');
    const { tags } = await t.as('administrator').client(TagService).list({});
    expect(tags.map(({ label }) => label?.name)).toContain('works');
    expect(tags.some(({ label }) => label?.name.startsWith('fail'))).toBe(false);
  });
});
