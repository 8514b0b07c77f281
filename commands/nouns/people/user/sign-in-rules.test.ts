import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { rulesPage } from './rules-page.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

test('reports the members who would be locked out in the plan', async () => {
  const plan = await planLine(context, "user set-sign-in-rules --pattern 'administrator@.*'");
  expect(plan).toMatchObject({ count: 4, reversible: true });
  expect(plan?.changes).toMatchObject([{ before: undefined, after: 'administrator@.*' }]);
  const [note] = plan!.notes!;
  expect(note?.key).toBe('user:plan.lockedOut');
  expect(JSON.stringify(note?.values)).toContain('operator@northwind.example');
});

test('sets sign-in rules, and undo restores the previous rules', async () => {
  const line = "user set-sign-in-rules --providers PASSWORD --pattern '.*@northwind\\.example' --verified";
  expect((await planLine(context, line))?.notes).toEqual([{ key: 'user:plan.nobodyLockedOut', values: { count: 4 } }]);
  const run = await type(context, line);
  const rules = await rulesPage.load(context);
  expect(rules).toMatchObject({ allowedSignInProviders: [0], requireVerifiedEmailAddresses: true });
  const details = rulesPage.sections[0]!.details!.map((detail) => detail.value(rules));
  expect(details).toEqual([{ key: 'user:provider.PASSWORD' }, '.*@northwind\\.example', { key: 'user:rule.verified' }]);
  await undo(context, run);
  expect(await rulesPage.load(context)).toMatchObject({
    allowedSignInProviders: [],
    emailValidationRegex: '',
    requireVerifiedEmailAddresses: false,
  });
});

test('tests an email address against the current rules or new rules', async () => {
  expect((await type(context, 'user test-sign-in-rules a@b.example')).outcome.message).toEqual({
    key: 'user:done.meets',
    values: { email: 'a@b.example' },
  });
  const otherRules = "user test-sign-in-rules a@b.example --pattern '.*@northwind\\.example'";
  await expect(type(context, otherRules)).rejects.toThrow('a@b.example');
  await expect(type(context, "user test-sign-in-rules --pattern 'administrator@.*'")).rejects.toMatchObject({
    userMessage: { key: 'core:error.server' },
  });
});
