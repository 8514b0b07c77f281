import { afterAll, beforeAll, expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { defaultScreen } from '#commands/session/preferences.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { loadPreferences, loadCurrentUser } from './settings.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

test('sets the default screen without changing other settings, and undo restores it', async () => {
  const context = await contextAs(server, 'operator');
  await context
    .api(CurrentUserService)
    .updateMissionControlSettings({ update: '{"units":"metric","defaultScreen":"/devices"}' });
  const run = await type(context, 'me set-default-screen /settings/tags');
  const user = await loadCurrentUser(context);
  expect(defaultScreen(JSON.parse(user.missionControlSettings))).toBe('/settings/tags');
  expect(JSON.parse(user.missionControlSettings)).toMatchObject({ units: 'metric' });
  await undo(context, run);
  expect(defaultScreen(await loadPreferences(context))).toBe('/devices');
});

test('asks for the default organization instead of taking the one on the screen', () => {
  expect(registry.command('me.set-default-organization')?.choosesItem).toBe(true);
  for (const id of ['organization.act-as', 'organization.open'])
    expect(registry.command(id)?.choosesItem, id).toBe(true);
});

test("doesn't offer undo for the first choice of a default screen", async () => {
  const context = await contextAs(server, 'viewer');
  const line = 'me set-default-screen /settings/tags';
  expect(await planLine(context, line)).toMatchObject({
    reversible: false,
    harmless: true,
    changes: [{ before: undefined }],
  });
  expect((await type(context, line)).inverse).toBeUndefined();
  const setDefaultScreen = 'me set-default-screen /devices';
  expect(await planLine(context, setDefaultScreen)).toMatchObject({ reversible: true });
  const run = await type(context, setDefaultScreen);
  await undo(context, run);
  expect(defaultScreen(await loadPreferences(context))).toBe('/settings/tags');
});

test('accepts only a default screen that the user can open', async () => {
  const line = 'me set-default-screen /developer-tools/webhooks';
  await expect(type(await contextAs(server, 'operator'), line)).rejects.toThrow(/ability|permission/);
  await expect(planLine(await contextAs(server, 'developer'), line)).resolves.toMatchObject({ count: 1 });
});

test('never overwrites unreadable settings', async () => {
  const context = await contextAs(server, 'developer');
  const contextWithArray = {
    ...context,
    api: () => ({ currentUser: async () => ({ missionControlSettings: '[1]' }) }) as never,
  };
  await expect(type(contextWithArray, 'me set-default-screen /devices')).rejects.toMatchObject({
    userMessage: { key: 'me:unreadableSettings' },
  });
});

test('requires explicit acceptance of the terms', async () => {
  const context = await contextAs(server, 'newcomer');
  await expect(type(context, 'me accept-terms --no-accept')).rejects.toMatchObject({
    userMessage: { key: 'me:validation.terms' },
  });
  await type(context, 'me accept-terms --accept');
  expect((await loadCurrentUser(context)).acceptedTac).toBe(true);
});
