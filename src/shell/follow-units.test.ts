import { fromJson } from '@bufbuild/protobuf';
import { expect, onTestFinished, test, vi } from 'vitest';

import { UnitPreferencesSchema } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { announceChange, onChange } from '#src/data/changes.ts';
import { ME } from '#src/session/follow-me.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { followUnits } from './follow-units.ts';

const server = vi.hoisted(() => ({ pressure: 'BAR', organization: 'northwind' }));
vi.mock('#src/run/context.ts', () => ({ contextNow: () => ({ organization: { id: server.organization } }) }));
vi.mock('#commands/nouns/self/me/unit-preferences.ts', () => ({
  loadUnitPreferences: async () =>
    fromJson(UnitPreferencesSchema, { pressurePreference: { preference: server.pressure } }),
}));

test("reloads values when the user's units change, but not when something else about the user does", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const reloaded: string[] = [];
  store.set(userSessionAtom, testSession());
  onTestFinished(followUnits());
  onTestFinished(onChange(({ entity }) => entity !== ME && reloaded.push(entity)));
  const entitiesAfter = async () => {
    reloaded.length = 0;
    announceChange(server.organization, [ME]);
    await vi.advanceTimersByTimeAsync(0);
    return [...reloaded];
  };
  // The first change may have been to the units.
  expect(await entitiesAfter()).toEqual(['device', 'process-point']);
  expect(await entitiesAfter()).toEqual([]);
  server.pressure = 'PSI';
  expect(await entitiesAfter()).toEqual(['device', 'process-point']);
  // Values of another organization have not been loaded with these units yet.
  server.organization = 'southwind';
  expect(await entitiesAfter()).toEqual(['device', 'process-point']);
});
