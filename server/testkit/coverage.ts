/**
 * The rpcs in the contract that this server does and doesn't serve. An rpc is served if its service is registered with
 * a handler for it, and if a caller with every permission gets a response from that handler.
 */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';

import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { Code, type ConnectRouter } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';

import { Organization_Feature } from '#proto/gen/hiber/organization_pb.ts';
import { organization } from '#server/db/schema/organization.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { createRoutes } from '#server/http/rpc/routes.ts';
import { roles } from '#server/policies/roles.ts';
import { rpcName } from '#server/policies/rpcs.ts';

import { createIdToken, captureError, type TestServer, transportFor } from './server.ts';

export interface Coverage {
  readonly served: string[];
  /** Each unserved rpc, with the reason: `no handler`, or the error that the call ended with. */
  readonly unserved: { rpc: string; reason: string }[];
}

type Routes = (router: ConnectRouter) => void;

/** The support staff's own organization, the only organization whose members can hold support permissions. */
const OPERATOR = 'quarterdeck';

/** Codes that a call by someone with every permission must not end with. */
const failures: readonly Code[] = [Code.Unimplemented, Code.PermissionDenied, Code.Unauthenticated, Code.Internal];

/**
 * Calls every rpc in the contract and reports which rpcs are served.
 *
 * @param routes the registered services; defaults to those of the server
 */
export async function measureRpcCoverage(
  t: TestServer,
  routes: Routes = createRoutes(t.app, new AbortController().signal),
): Promise<Coverage> {
  await t.app.db.orm
    .update(organization)
    .set({ features: Object.values(Organization_Feature) })
    .where(eq(organization.id, OPERATOR));
  const handled = handledMethods(routes);
  const coverage: Coverage = { served: [], unserved: [] };
  for (const method of (await loadContractServices()).flatMap((service) => service.methods)) {
    const rpc = rpcName(method);
    const reason = handled.has(method) ? await findFailure(t, method) : 'no handler';
    if (reason === undefined) coverage.served.push(rpc);
    else coverage.unserved.push({ rpc, reason });
  }
  return coverage;
}

/**
 * Returns the rpcs that have a handler. For the other rpcs of a registered service, the router responds with
 * UNIMPLEMENTED.
 */
export function handledMethods(routes: Routes): ReadonlySet<DescMethod> {
  const handled = new Set<DescMethod>();
  const router: ConnectRouter = {
    handlers: [],
    service(service, implementation) {
      const handlers = new Map(Object.entries(implementation));
      for (const method of service.methods) {
        if (typeof handlers.get(method.localName) === 'function') handled.add(method);
      }
      return router;
    },
    rpc(method) {
      handled.add(method);
      return router;
    },
  };
  routes(router);
  return handled;
}

async function findFailure(t: TestServer, method: DescMethod): Promise<string | undefined> {
  const error = await captureError(transportFor(t.app, await createCallerWithEveryRole(t, rpcName(method))), method);
  if (error === undefined || !failures.includes(error.code)) return undefined;
  return `${Code[error.code]}: ${error.rawMessage}`;
}

/**
 * Creates a new user for each call because one of the calls deletes the caller.
 *
 * @returns the bearer token
 */
async function createCallerWithEveryRole(t: TestServer, rpc: string): Promise<string> {
  const id = `every-role-${randomUUID()}`;
  const identity = { id, email: `${id}@example.com`, name: rpc };
  await t.app.db.orm.insert(appUser).values({ ...identity, defaultOrganization: OPERATOR });
  await t.app.db.orm
    .insert(membership)
    .values({ organization: OPERATOR, userId: id, roles: roles.map(({ identifier }) => identifier) });
  return createIdToken(identity);
}

/** Loads the services in the contract from the generated code, so no list can become outdated. */
async function loadContractServices(): Promise<DescService[]> {
  const folder = new URL('../../proto/gen/hiber/', import.meta.url);
  const names = (await readdir(folder)).toSorted();
  const modules = await Promise.all(names.map((name) => import(new URL(name, folder).href) as Promise<object>));
  return modules.flatMap((module) => Object.values(module) as unknown[]).filter(isService);
}

const isService = (value: unknown): value is DescService =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';
