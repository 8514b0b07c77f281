import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { firstDay, momentFormat } from '#commands/session/preferences.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { profile } from './profile.ts';
import { loadPreferences } from './settings.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const translate = translateWith(await createTranslator('en', resources));

test('sets the date format and the week start, and undoes one without changing the other', async () => {
  const context = await contextAs(server, 'operator');
  const first = await type(context, 'me set-date-format iso');
  await type(context, 'me set-week-start sunday');
  expect(momentFormat(await loadPreferences(context))).toBe('iso');
  expect(firstDay((await contextAs(server, 'operator')).preferences)).toBe('SUNDAY');
  await undo(context, first);
  expect(momentFormat(await loadPreferences(context))).toBe('named-month');
  expect(firstDay(await loadPreferences(context))).toBe('SUNDAY');
});

test('plans no change if the value is already set', async () => {
  const context = await contextAs(server, 'developer');
  const count = async (line: string) => (await planLine(context, line))?.count;
  for (const line of [
    'me set-date-format iso',
    'me set-units --pressure psi',
    'me set-default-screen /settings/tags',
    'me set-emails --events TRANSFER',
  ]) {
    expect(await count(line), line).toBe(1);
    await type(context, line);
    expect(await count(line), line).toBe(0);
  }
  await type(context, 'me stop-emails');
  // Setting a filter turns emails back on.
  expect(await count('me set-emails --events ""')).toBe(1);
});

test('names the tab group of a first screen', async () => {
  const context = await contextAs(server, 'developer');
  const summary = async (path: string) => {
    const plan = await planLine(context, `me set-default-screen ${path}`);
    return plan && translate(plan.summary);
  };
  expect(await summary('/transfers/inbound')).toContain('Inbound (Transfers)');
  expect(await summary('/devices')).toMatch(/Devices(?! \()/);
});

test('shows the sign-in methods of an account by name', async () => {
  const methodsOf = async (host: Partial<HostCapabilities>) => {
    const data = await profile.load({ ...(await contextAs(server, 'operator')), host });
    const field = profile.sections.flatMap(({ details = [] }) => details).find(({ id }) => id === 'providers');
    const value = field?.value(data);
    return typeof value === 'object' ? translate(value) : value;
  };
  const identity = (providers: readonly string[]) => ({
    identity: { current: () => ({ providers, emailVerified: true, factors: [] }) },
  });
  expect(await methodsOf(identity(['password']))).toBe('Email and password');
  expect(await methodsOf(identity(['google.com', 'password', 'saml.acme']))).toBe(
    'Google, Email and password, saml.acme',
  );
  expect(await methodsOf({})).toBeUndefined();
});

test('prints the profile and preferences in the terminal', async () => {
  const details = vi.fn<HostCapabilities['output']['details']>();
  const output = { list: () => undefined, rows: () => undefined, stream: async () => undefined, details };
  const context = { ...(await contextAs(server, 'operator')), host: { output } };
  await type(context, 'me profile');
  const values = Object.fromEntries(details.mock.lastCall![0].lines.map(({ head, value }) => [head.key, value]));
  expect(values).toMatchObject({
    'me:pages.profile.details.email': 'operator@northwind.example',
    'me:pages.profile.details.organizations': 'Northwind Energy',
  });
  await type(context, 'me preferences');
  expect(details.mock.lastCall![0].json).toHaveProperty('units');
});
