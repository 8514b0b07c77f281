import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { policyOf } from '#server/http/rpc/policy-of.ts';
import { createRoutes } from '#server/http/rpc/routes.ts';
import { effectOf } from '#server/policies/rpcs.ts';
import { handledMethods } from '#server/testkit/coverage.ts';
import { startTestServer } from '#server/testkit/server.ts';

const folder = new URL('../', import.meta.url);
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)testkit\//.test(name))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));

/** Services whose screens the console does not have yet. */
const SERVICES_WITHOUT_SCREENS: ReadonlySet<string> = new Set([
  'DeviceTypeService',
  'EventService',
  'HealthService',
  'MessageService',
  'SimulationService',
  'ValueSimulationService',
]);

/** The rpcs without a command, because a command calls another rpc with the same effect. */
const DUPLICATES: ReadonlySet<string> = new Set([
  'CurrentUserService.overrideRoles',
  'CurrentUserService.restoreRoles',
  // `field edit` and the commands for single fields have the same effect.
  'FieldService.replaceAll',
  'FieldService.updateNumericDetails',
  // AssignmentService can also share single fields, override conflicts, and delete the history.
  'ProcessPointService.assignDevice',
  'ProcessPointService.unassignDevice',
  // A script with one `user create` line per account has the same effect.
  'UserService.createUsers',
]);

const server = await startTestServer({ isEmpty: true });
const rpcs = [...handledMethods(createRoutes(server.app, new AbortController().signal))]
  .filter((method) => effectOf(policyOf(method), method) !== 'read')
  .map(({ parent, localName }) => [parent.name, localName] as const)
  .filter(([service]) => !SERVICES_WITHOUT_SCREENS.has(service))
  .filter(([service, method]) => !DUPLICATES.has(`${service}.${method}`));

await server.close();

test.each(rpcs)('has a command that calls %s.%s', (service, method) => {
  const callers = sources.filter((text) => text.includes(service) && new RegExp(`\\.${method}\\(`).test(text));
  expect(callers.length).toBeGreaterThan(0);
});
