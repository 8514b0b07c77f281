import { sql } from 'drizzle-orm';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { FieldService } from '#proto/gen/hiber/field_service_pb.ts';
import { MessageService } from '#proto/gen/hiber/message_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { ModemMessageBodyParserService } from '#proto/gen/hiber/parser_pb.ts';
import { ListProcessPoints_Sort, ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { DEMO_ORGANIZATION as organization } from '#server/demo/seed/people.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { measureInTurn, percentile, type Bench, type Row } from './bench.ts';
import { createCall } from './call.ts';

const ITEM_COUNT = 10_000;
const DEVICE_COUNT = 100_000;
const ROUNDS = 60;
const BUDGET_MS = 40;

const pagination = { size: 100, page: 0 };

/** Adds items of every kind that the seed has few of. */
async function addItems({ app: { db } }: TestServer): Promise<void> {
  const statements = [
    sql`insert into tag (organization, id, name, type)
      select ${organization}, n, 'Tag ' || md5(n::text), 'site' from generate_series(100001, ${100_000 + ITEM_COUNT}) as n`,
    sql`insert into publisher (organization, id, kind, disabled)
      select ${organization}, n, 'webhook', true from generate_series(100001, ${100_000 + ITEM_COUNT}) as n`,
    sql`insert into webhook (organization, id, description, url, content_type, created_by)
      select organization, id, 'Webhook ' || md5(id::text), 'https://hooks.example/' || id, 1, 'someone'
        from publisher where organization = ${organization} and id > 100000`,
    sql`insert into token (organization, id, name, user_id, hash, type)
      select ${organization}, n, 'Token ' || md5(n::text), (select min(user_id) from membership
        where organization = ${organization}), sha256(n::text::bytea), 1
        from generate_series(100001, ${100_000 + ITEM_COUNT}) as n`,
    sql`insert into app_user (id, email, name)
      select 'bench-' || n, 'bench-' || n || '@example.com', 'Person ' || md5(n::text) from generate_series(1, ${ITEM_COUNT}) as n`,
    sql`insert into membership (organization, user_id, roles)
      select ${organization}, id, '{viewer}' from app_user where id like 'bench-%'`,
    sql`insert into organization (id, path, display_name)
      select 'bench-' || n, array[${organization}, 'bench-' || n], 'Customer ' || md5(n::text)
        from generate_series(1, ${ITEM_COUNT}) as n`,
    sql`insert into process_point (organization, identifier, name, type)
      select ${organization}, 'bench-' || n, 'Point ' || md5(n::text), n % 12 + 1 from generate_series(1, ${ITEM_COUNT}) as n`,
    sql`insert into process_point_device (organization, point, number, since)
      select organization, 'bench-' || row_number() over (order by number), number, now() - interval '30 days'
        from device where organization = ${organization} limit ${ITEM_COUNT}`,
    sql`insert into process_point_tag (organization, point, tag)
      select organization, identifier, 100000 + row_number() over (order by identifier)
        from process_point where identifier like 'bench-%' and organization = ${organization}`,
    sql`insert into latest_value (organization, number, field, time, message, parser, type, numeric, operational)
      select organization, number, 'pressure', now() - random() * interval '1 day', 0, 'bench', 1, 1, false
        from device where organization = ${organization} on conflict do nothing`,
    sql`insert into parser (organization, identifier, name, definition)
      select ${organization}, 'bench-' || n, 'Parser ' || md5(n::text), 'meta: {id: bench}'
        from generate_series(1, ${ITEM_COUNT}) as n`,
    sql`insert into parser_field (organization, parser, identifier, field, type)
      select organization, identifier, identifier || '-field', 'pressure', 1 from parser where identifier like 'bench-%'`,
  ];
  for (const statement of statements) await db.orm.execute(statement);
  await db.pool.query('vacuum analyze');
}

async function measureP95(tasks: Record<string, () => Promise<unknown>>, title: string): Promise<Row[]> {
  const times = await measureInTurn(tasks, ROUNDS);
  return Object.entries(times).map(([name, values]) => ({
    name: `${title}, ${name}, p95 vs ${BUDGET_MS} ms`,
    unit: 'ms',
    value: percentile(values, 95),
    baseline: BUDGET_MS,
    isWorkBudget: true,
    target: 1,
  }));
}

async function measureLists(): Promise<Row[]> {
  const server = await startTestServer({ devices: ITEM_COUNT });
  await addItems(server);
  const call = createCall(server);
  const rows = await measureP95(
    {
      devices: () => call(DeviceService.method.list, { pagination }),
      modems: () => call(ModemService.method.list, { pagination }),
      'tags, all': () => call(TagService.method.list, {}),
      webhooks: () => call(WebhookService.method.list, { pagination }),
      tokens: () => call(TokenService.method.list, { pagination }),
      users: () => call(UserService.method.list, { pagination }),
      organizations: () => call(OrganizationService.method.listChildOrganizations, { pagination }),
      messages: () => call(MessageService.method.list, { pagination }),
      events: () => call(EventService.method.list, { pagination }),
      'process points': () => call(ProcessPointService.method.list, { pagination }),
      'process points by activity': () =>
        call(ProcessPointService.method.list, { pagination, sortBy: [ListProcessPoints_Sort.ACTIVITY] }),
      'process points by site': () =>
        call(ProcessPointService.method.list, { pagination, sortBy: [ListProcessPoints_Sort.TAG_TYPE_SITE_ASC] }),
      'process points, free text': () =>
        call(ProcessPointService.method.list, { pagination, selection: { search: ['point 4'] } }),
      parsers: () => call(ModemMessageBodyParserService.method.list, { pagination, excludeContent: true }),
      fields: () => call(FieldService.method.list, { pagination }),
    },
    `${ITEM_COUNT.toLocaleString('en')} items`,
  );
  await server.close();
  return rows;
}

async function measureFleet(): Promise<Row[]> {
  const server = await startTestServer({ devices: DEVICE_COUNT });
  await server.app.db.pool.query('vacuum analyze');
  const call = createCall(server);
  const rows = await measureP95(
    {
      'free text, first page': () =>
        call(DeviceService.method.list, { selection: { freeTextSearch: 'kestrel' }, pagination }),
      'counts by lifecycle': () => call(DeviceService.method.lifecycles, {}),
      'counts by tag': () => call(ModemService.method.tagCount, {}),
      'health by tag': () => call(TagService.method.health, { modemCount: true }),
      'groups by gateway': () => call(ModemService.method.grouped, {}),
    },
    `${DEVICE_COUNT.toLocaleString('en')} devices`,
  );
  await server.close();
  return rows;
}

export const bench: Bench = {
  title: 'Lists and counts through the services',
  run: async () => [...(await measureLists()), ...(await measureFleet())],
};
