import { afterAll, beforeAll, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { registry } from './all.ts';
import type { Context } from '#commands/model/context.ts';
import type { DetailPart } from '#commands/model/column.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { listAll } from '#commands/run/lookup.ts';
import type { Message } from '#commands/text/message.ts';
import { compileText } from '#commands/query/compile.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import * as resources from '#commands/nouns/texts.ts';
import { organization } from './people/organization/entity.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { user } from './people/user/entity.ts';

// What a table or a panel says of the seeded fleet is for people: no names of constants, no JSON, no times as machines
// write them.

let server: TestServer;
const CHILD = 'northwind-north';
/** Ids of organizations and of people: each has a name to be called by. */
let nameless: ReadonlySet<string>;
beforeAll(async () => {
  server = await startTestServer();
  const support = await contextAs(server, 'support');
  const administrator = await contextAs(server, 'administrator');
  // Somebody, something and a support session of an organization below.
  const invite = { organization: CHILD, email: 'newcomer@example.com', roles: { include: ['viewer'] } };
  await administrator.api(UserService).invite(invite);
  await server.as('newcomer').client(CurrentUserService).acceptOrganizationInvite({ organization: CHILD });
  await contextAs(server, 'support', CHILD);
  await type(administrator, `token create narrow --organizations ${CHILD}`);
  const organizations = await listAll(organization, 'accessible:true', support);
  const people = await listAll(user, '', administrator);
  nameless = new Set([...organizations.map(organization.id), ...people.map((item) => item.user.id)]);
});
afterAll(() => server.close());

const say = translateWith(await createTranslator('en', resources));
const MACHINE = [/\b[A-Z]+(?:_[A-Z0-9]+)+\b/, /\b[a-z]+_[a-z_]+\b/, /^[[{]/, /\d{4}-\d\d-\d\d/, /^[a-z]+:[a-z]+[.]/i];
/** Ids and names that the contract gives as text, and that people type as they are. */
const IDS = ['id', 'identifier', 'url'];

/** Lists that reach into other organizations. */
const WIDER: Readonly<Record<string, string>> = { below: 'below:*', everywhere: 'everywhere:true' };

type Value = string | Message | undefined;

function wrong(where: string, value: Value): readonly string[] {
  const text = typeof value === 'object' ? say(value) : (value ?? '');
  const bad = MACHINE.some((pattern) => pattern.test(text)) || text.split(', ').some((part) => nameless.has(part));
  return bad ? [`${where}: ${text}`] : [];
}

interface Shown {
  readonly id: string;
  value(item: never): Value;
  at?(item: never): number | undefined;
}

/** A moment is written by whoever shows it. */
function parts(text: string, shown: readonly Shown[], item: unknown): readonly string[] {
  return shown.flatMap(({ id, value, at }) =>
    at?.(item as never) !== undefined || IDS.includes(id) ? [] : wrong(`${text} ${id}`, value(item as never)),
  );
}

function details(value: string, lines: readonly DetailPart[]): readonly string[] {
  // What is set in the letters of code is what a device or a webhook sent.
  return lines.flatMap(({ label, text, at, mono }) =>
    at !== undefined || mono ? [] : wrong(`${value} ${label.key}`, text),
  );
}

/** Items whose tabs are looked into: each takes a call. */
const LOOKED_INTO = 5;

async function inTabs(entity: AnyEntity, item: unknown, context: Context): Promise<readonly string[]> {
  const found = (entity.detailTabs ?? []).map(async (detailTabs) => {
    const of = `${entity.name} ${detailTabs.id}`;
    const rows = await detailTabs.load(context, item);
    return rows.flatMap((row) => [
      ...parts(of, detailTabs.columns, row),
      ...details(of, detailTabs.detail?.(row) ?? []),
    ]);
  });
  return (await Promise.all(found)).flat();
}

test.each(registry.entities.map((entity) => [entity.name, entity] as const))(
  '%s is shown in words',
  async (_, entity) => {
    const context = await contextAs(server, entity.name === 'support-session' ? 'support' : 'administrator');
    const message = ['below', 'everywhere'].flatMap((key) => (Object.hasOwn(entity.filter, key) ? [WIDER[key]!] : []));
    for (const filter of ['', ...message]) {
      const compiled = await compileText(entity, filter, context);
      const { items } = await entity.list(context, compiled, { page: 0, size: 100 });
      if (items.length === 0 && filter !== '') throw new Error(`the seed has nothing for ${filter}`);
      const inTable = items.flatMap((item) => parts(entity.name, [...entity.columns, ...(entity.details ?? [])], item));
      const opened = await Promise.all(items.slice(0, LOOKED_INTO).map((item) => inTabs(entity, item, context)));
      expect([...new Set([...inTable, ...opened.flat()])]).toEqual([]);
    }
  },
);
