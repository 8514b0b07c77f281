import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { hasSeenTour } from '#commands/session/preferences.ts';
import { contextAs, type } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

const open = vi.fn<() => void>();
const report = vi.fn<(error: unknown) => void>();
const withTour = (context: Context): Context => ({ ...context, host: { tour: { open }, report } });

test('opens the introduction and records in the account that the user has seen it', async () => {
  const context = withTour(await contextAs(server, 'viewer'));
  await type(context, 'me set-date-format iso');
  expect(hasSeenTour(context.preferences)).toBe(false);
  await type(context, 'help tour');
  const { preferences } = await contextAs(server, 'viewer');
  expect([hasSeenTour(preferences), preferences['dateTimeFormat']]).toEqual([true, 'iso']);
  await type(withTour(await contextAs(server, 'viewer')), 'help tour');
  expect(open).toHaveBeenCalledTimes(2);
});

test("opens the introduction even if the account can't be changed", async () => {
  open.mockClear();
  const context = withTour(await contextAs(server, 'operator'));
  const failure = new Error('no connection');
  const completedRun = await type(
    {
      ...context,
      api: () => {
        throw failure;
      },
    },
    'help tour',
  );
  expect(open).toHaveBeenCalledOnce();
  expect(report).toHaveBeenCalledExactlyOnceWith(failure);
  expect(completedRun.outcome.changed).toBeUndefined();
});
