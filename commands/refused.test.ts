import { ConnectError, Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testing';
import { registry } from './all.ts';
import { abilities, type Ability } from './core/ability.ts';
import type { Context } from './core/context.ts';
import { contextAs, type } from './testing/server.ts';

// The surfaces disable what a person may not do; the server is what refuses it.

let server: TestServer;
/** A viewer whose client believes it may do anything. */
let bold: Context;
let number: string;
beforeAll(async () => {
  server = await startTestServer();
  const viewer = await contextAs(server, 'viewer');
  const features = new Set(['MODEM_CREATION']);
  const all = new Set(Object.keys(abilities) as Ability[]);
  bold = {
    ...viewer,
    actor: { ...viewer.actor, abilities: all },
    organization: { ...viewer.organization, features },
  };
  const administrator = await contextAs(server, 'administrator');
  const { outcome } = await type(administrator, 'device create Bare');
  number = outcome.results![0]!.id;
  await type(administrator, 'tag create Other');
  await type(administrator, `tag assign '${number}' --tag Mine`);
});
afterAll(() => server.close());

/** A line for every command that changes something and takes an ability that a viewer lacks. `#` is a device. */
const lines: Readonly<Record<string, string>> = {
  'device.edit': "'#' --notes x",
  'device.set-lifecycle': "'#' PAUSED",
  'device.rename': "'#' x",
  'device.set-notes': "'#' x",
  'device.set-secure-notes': "'#' --secure-notes x",
  'device.set-time-zone': "'#' Asia/Tokyo",
  'device.set-expected-rate': "'#' 7",
  'device.set-interval': "'#' 7m",
  'device.set-peripherals': "'#' --add x=1",
  'device.set-identifier': "'#' x",
  'device.replace-battery': "'#'",
  'device.send-test-message': "'#' 00",
  'device.create': 'x',
  'tag.assign': "'#' --tag Other",
  'tag.unassign': "'#' --tag Mine",
  'tag.create': 'x',
  'tag.edit': "'*' --priority 7",
  'tag.rename': "'Mine' y",
  'tag.delete': "'name:Mine'",
  'webhook.create': 'https://example.com',
  'webhook.edit': "'*' --description x",
  'webhook.set-filter': "'*' --events TRANSFER",
  'webhook.enable': "'*'",
  'webhook.disable': "'*'",
  'webhook.duplicate': "'*'",
  'webhook.tag': "'*' Mine",
  'webhook.test': "'*'",
  'webhook.resend': "'#1' 1",
  'webhook.delete': "'*'",
  'token.create': 'x',
  'token.set-permissions': "'*' MODEMS",
  'token.set-user-permissions': "'*' READ",
  'token.set-roles': "'*' viewer",
  'token.revoke': "'*'",
};

const own: ReadonlySet<string> = new Set(['UPDATE_SELF']);
const guarded = registry.commands.filter(
  ({ effect, requires }) =>
    (effect === 'write' || effect === 'destructive') && requires.some((ability) => !own.has(ability)),
);

test.each(guarded.map((of) => [of.id, of.noun, of.verb] as const))('%s', async (id, noun, verb) => {
  const line = `${noun} ${verb} ${lines[id]?.replace("'#'", `'${number}'`)}`;
  const refusals = await type(bold, line).then(
    ({ outcome }) => (outcome.results ?? []).map(({ failure }) => failure?.code),
    (error: unknown) => [error instanceof ConnectError ? Code[error.code] : String(error)],
  );
  expect(new Set(refusals.map((code) => code?.replace('_', '').toLowerCase()))).toEqual(new Set(['permissiondenied']));
});
