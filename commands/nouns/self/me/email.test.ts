import { afterAll, beforeAll, expect, test } from 'vitest';

import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { emailHistory } from './email-history.ts';
import { loadEmailSettings } from './email.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

test('turns emails on and off and filters them, and undo restores the filters', async () => {
  const context = await contextAs(server, 'administrator');
  const filters = async () => {
    const { preferences, tagNames } = await loadEmailSettings(context);
    return { active: preferences.active, levels: preferences.filterHealthLevels, tagNames };
  };
  expect((await loadEmailSettings(context)).preferences.active).toBe(false);
  // The console and the CLI add the organization to the text themselves.
  expect((await planLine(context, 'me start-emails'))?.summary).toEqual({ key: 'me:plan.start-emails' });
  await type(context, 'me start-emails');
  await type(context, "tag create 'Needs visit'");
  await type(context, "me set-emails --events alarm_triggered --tags 'Needs visit' --health-levels Alarm");
  expect(await filters()).toEqual({ active: true, levels: ['Alarm'], tagNames: ['Needs visit'] });
  const plan = await planLine(context, "me set-emails --health-levels ''");
  expect(plan?.changes).toMatchObject([{ id: 'healthLevels', added: [], removed: ['Alarm'] }]);
  const run = await type(context, 'me stop-emails');
  expect((await filters()).active).toBe(false);
  await undo(context, run);
  expect(await filters()).toEqual({ active: true, levels: ['Alarm'], tagNames: ['Needs visit'] });
});

test('shows an empty history if no emails were sent', async () => {
  const context = await contextAs(server, 'administrator');
  expect(await emailHistory.load(context, await loadEmailSettings(context))).toEqual([]);
});
