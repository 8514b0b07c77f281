import { afterAll, beforeAll, expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { DetailPart } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { compileText } from '#commands/query/compile.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import type { Message } from '#commands/text/message.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { registry } from './all.ts';
import { organization } from './people/organization/entity.ts';
import { user } from './people/user/entity.ts';

// These tests check that tables and panels show the seed data without constant names, JSON, or machine timestamps.

let server: TestServer;
const CHILD = 'northwind-north';
/** The ids of organizations and users. Tables and panels must show their names instead. */
let namedIds: ReadonlySet<string>;
beforeAll(async () => {
  server = await startTestServer();
  const support = await contextAs(server, 'support');
  const administrator = await contextAs(server, 'administrator');
  // Create a member, an item, and a support session in a sub-organization.
  const invite = { organization: CHILD, email: 'newcomer@example.com', roles: { include: ['viewer'] } };
  await administrator.api(UserService).invite(invite);
  await server.as('newcomer').client(CurrentUserService).acceptOrganizationInvite({ organization: CHILD });
  await contextAs(server, 'support', CHILD);
  await type(administrator, `token create narrow --organizations ${CHILD}`);
  await type(
    administrator,
    "process-point create 'Kestrel 14' --type WELL_HEAD --metadata site_code=K12 --expected-rate 24",
  );
  await type(await contextAs(server, 'administrator', CHILD), 'process-point create North');
  // Add a call to every webhook's history.
  await type(administrator, "webhook test '*'");
  const organizations = await listAll(organization, 'accessible:true', support);
  const people = await listAll(user, '', administrator);
  namedIds = new Set([...organizations.map(organization.id), ...people.map((item) => item.user.id)]);
});
afterAll(() => server.close());

const translate = translateWith(await createTranslator('en', resources));
const MACHINE_TEXT = [
  /\b[A-Z]+(?:_[A-Z0-9]+)+\b/,
  /\b[a-z]+_[a-z_]+\b/,
  /^[[{]/,
  /\d{4}-\d\d-\d\d/,
  /^[a-z]+:[a-z]+[.]/i,
];
/** Fields with identifiers and keys that users type exactly as the contract returns them. */
const TYPED = ['id', 'identifier', 'url', 'metadata'];

/** Filters that include other organizations. */
const WIDER_FILTERS: Readonly<Record<string, string>> = { below: 'below:*', everywhere: 'everywhere:true' };

type Value = string | Message | undefined;

function textProblems(path: string, value: Value): readonly string[] {
  const text = typeof value === 'object' ? translate(value) : (value ?? '');
  const invalid =
    MACHINE_TEXT.some((pattern) => pattern.test(text)) || text.split(', ').some((part) => namedIds.has(part));
  return invalid ? [`${path}: ${text}`] : [];
}

interface DisplayField {
  readonly id: string;
  value(item: never): Value;
  time?(item: never): number | undefined;
}

/** Skips times because the console and the CLI format them. */
function fieldProblems(path: string, fields: readonly DisplayField[], item: unknown): readonly string[] {
  return fields.flatMap(({ id, value, time }) =>
    time?.(item as never) !== undefined || TYPED.includes(id)
      ? []
      : textProblems(`${path} ${id}`, value(item as never)),
  );
}

function detailProblems(path: string, parts: readonly DetailPart[]): readonly string[] {
  // Monospaced text comes from a device or a webhook.
  return parts.flatMap(({ label, text, time, mono }) =>
    time !== undefined || mono ? [] : textProblems(`${path} ${label.key}`, text),
  );
}

/** The maximum number of items to check tabs for. Each tab takes a call. */
const MAX_OPENED_ITEMS = 5;

async function findTabProblems(entity: AnyEntity, item: unknown, context: Context): Promise<readonly string[]> {
  const tabLoads = (entity.detailTabs ?? []).map(async (tab) => {
    const path = `${entity.name} ${tab.id}`;
    const rows = await tab.load(context, item);
    return rows.flatMap((row) => [
      ...fieldProblems(path, tab.columns, row),
      ...detailProblems(path, tab.detail?.(row, item) ?? []),
    ]);
  });
  return (await Promise.all(tabLoads)).flat();
}

test.each(registry.entities.map((entity) => [entity.name, entity] as const))(
  'shows %s in plain text, without constants, ids, or JSON',
  async (_, entity) => {
    const context = await contextAs(server, entity.name === 'support-session' ? 'support' : 'administrator');
    const wider = ['below', 'everywhere'].flatMap((key) =>
      Object.hasOwn(entity.filter, key) ? [WIDER_FILTERS[key]!] : [],
    );
    for (const filter of ['', ...wider]) {
      const compiledFilter = await compileText(entity, filter, context);
      const { items } = await entity.list(context, compiledFilter, { page: 0, size: 100 });
      if (items.length === 0 && filter !== '') throw new Error(`the seed has no items for ${filter}`);
      const tableProblems = items.flatMap((item) =>
        fieldProblems(entity.name, [...entity.columns, ...(entity.details ?? [])], item),
      );
      const panelProblems = await Promise.all(
        items.slice(0, MAX_OPENED_ITEMS).map((item) => findTabProblems(entity, item, context)),
      );
      expect([...new Set([...tableProblems, ...panelProblems.flat()])]).toEqual([]);
    }
  },
);
