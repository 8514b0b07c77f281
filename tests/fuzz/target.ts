import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createConnectRouter } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';

import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { createLog } from '#server/base/log.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { listen } from '#server/http/connection/listener.ts';
import { createHandler } from '#server/http/handler.ts';
import { createRoutes } from '#server/http/rpc/routes.ts';
import type { RoleIdentifier } from '#server/policies/roles.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { pathOf } from './contract.ts';

/** Names and ids of existing items, for use in requests. */
export interface Pool {
  readonly organizations: string[];
  readonly numbers: string[];
  readonly users: string[];
}

/** A caller; an anonymous caller has no bearer. */
export interface Caller {
  readonly name: string;
  readonly bearer: string | undefined;
}

/** The fuzzer's interface to the server under test. */
export interface Target {
  readonly port: number;
  /** Paths of the rpcs in registered services. */
  readonly servedPaths: string[];
  readonly pool: Pool;
  /** The bearer token of the bystander, in an organization outside the pool. */
  readonly bystander: string;
  /** Creates new people in every role, to replace callers that earlier calls removed, suspended, or signed out. */
  createCallers(round: number): Promise<Caller[]>;
  close(): Promise<void>;
}

const DAY = 24 * 3600;

/**
 * Starts the real server with its listener, on its own database filled with the small seed.
 *
 * @param devices the number of devices in the target organization
 * @param onError receives each line that the server logs about a failed call
 */
export async function startTarget(devices: number | undefined, onError: (line: string) => void): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-fuzz-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
  const t = await startTestServer(devices === undefined ? {} : { devices });
  t.app.log = createLog('json', (line) => {
    if (line.includes('"level":"error"')) onError(line);
  });
  const shutdown = new AbortController();
  const handler = createHandler(t.app, { consoleFolder: folder, identityPort: undefined, shutdown: shutdown.signal });
  const server = await listen(handler, '127.0.0.1', 0);
  const router = createConnectRouter();
  createRoutes(t.app, new AbortController().signal)(router);
  const pool = await readPool(t);
  return {
    port: server.port,
    servedPaths: router.handlers.map(({ method }) => pathOf(method)),
    pool,
    bystander: await signInBystander(t, pool),
    createCallers: (round) => createCallers(t, round),
    async close() {
      shutdown.abort();
      await server.close();
      await t.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function readPool(t: TestServer): Promise<Pool> {
  const column = async (query: string) =>
    (await t.app.db.pool.query<{ value: string }>(query)).rows.map(({ value }) => value);
  return {
    organizations: await column(
      `select id as value from organization where id like 'northwind%' or id = 'quarterdeck' order by id`,
    ),
    numbers: await column(
      `select number as value from device where organization like 'northwind%' order by number limit 200`,
    ),
    users: await column('select id as value from app_user order by id limit 50'),
  };
}

async function signInBystander(t: TestServer, pool: Pool): Promise<string> {
  const { rows } = await t.app.db.pool.query<{ organization: string }>(
    'select organization from device where organization <> all($1::text[]) order by organization limit 1',
    [pool.organizations],
  );
  const [device] = rows;
  if (device === undefined) throw new Error('The seed has no organization outside the pool.');
  return signIn(t, 'bystander', 'viewer', device.organization);
}

async function createCallers(t: TestServer, round: number): Promise<Caller[]> {
  // Rules and overrides that calls have created would lock the new people out, or restrict their roles.
  await t.app.db.orm.execute(sql`delete from user_validation`);
  await t.app.db.orm.execute(sql`delete from role_override`);
  const member = (role: RoleIdentifier, organization = 'northwind') =>
    signIn(t, `fuzz-${round}-${role}-${organization}`, role, organization);
  const administrator = await member('administrator');
  const staff = await member('support', 'quarterdeck');
  const newcomer = await signIn(t, `fuzz-${round}-newcomer`, undefined, undefined);
  const { token } = await t
    .with(administrator)
    .client(TokenService)
    .create({ name: `fuzz ${round}`, organizationPermissions: { includeAll: true } });
  await t.with(staff).client(SupportService).allowChanges({ organization: 'northwind', reason: 'Fuzzing' });
  return [
    { name: 'administrator', bearer: administrator },
    { name: 'viewer', bearer: await member('viewer') },
    { name: 'operator', bearer: await member('operator') },
    { name: 'developer', bearer: await member('developer') },
    { name: 'sub-organization administrator', bearer: await member('administrator', 'northwind-north') },
    { name: 'support staff', bearer: staff },
    { name: 'token', bearer: token },
    { name: 'newcomer', bearer: newcomer },
    { name: 'nobody', bearer: undefined },
  ];
}

async function signIn(
  t: TestServer,
  id: string,
  role: RoleIdentifier | undefined,
  organization: string | undefined,
): Promise<string> {
  const identity = { id, email: `${id}@example.com`, name: id };
  const row = { ...identity, defaultOrganization: organization ?? null };
  await t.app.db.orm.insert(appUser).values(row).onConflictDoNothing();
  if (role !== undefined && organization !== undefined) {
    await t.app.db.orm
      .insert(membership)
      .values({ organization, userId: id, roles: [role] })
      .onConflictDoNothing();
  }
  return createIdToken({ ...identity, lifetime: DAY });
}
