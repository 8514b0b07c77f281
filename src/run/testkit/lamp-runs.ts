import { beforeAll, beforeEach } from 'vitest';

import type { HostCapabilities } from '#commands/model/host.ts';
import { EMPTY_HISTORY } from '#commands/run/history.ts';
import { loadAllStrings, i18n } from '#src/i18n/i18n.ts';
import { loadAll } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { execute, repeat, start } from '#src/run/runner.ts';
import { undo } from '#src/run/undo.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import {
  canceledRunAtom,
  failedRunAtom,
  historyAtom,
  interruptedRunAtom,
  lastResultsAtom,
  reportAtom,
  runningCommandsAtom,
} from '#src/state/work.ts';

import { lamps, reset } from './lamps.ts';

/** Starts each test with three dark lamps, an empty history, and a signed-in user. The file mocks the loaders. */
export function setUpLamps(): void {
  beforeAll(async () => {
    i18n.addResourceBundle('en', 'lamp', { darkened: 'Darkened', lit: 'Lit', light: 'Light' });
    await Promise.all([loadAllStrings(), loadAll()]);
  });

  beforeEach(() => {
    reset();
    closeToasts();
    store.set(historyAtom, EMPTY_HISTORY);
    store.set(paletteAtom, { open: false });
    // A test that failed may have left a command that runs, which keeps the undo key busy.
    store.set(runningCommandsAtom, []);
    store.set(canceledRunAtom, undefined);
    store.set(interruptedRunAtom, undefined);
    store.set(reportAtom, undefined);
    store.set(lastResultsAtom, undefined);
    store.set(failedRunAtom, undefined);
    store.set(visibleTargetsAtom, {});
    store.set(userSessionAtom, testSession());
    const history: HostCapabilities['history'] = { undo, repeat, last: () => undefined };
    provide({ history });
  });
}

export const lightLamps = (...ids: string[]) => start({ id: 'lamp.light', args: { lamps: { ids } } });

export const litLamps = () => [...lamps].flatMap(([id, color]) => (color ? [id] : []));

export const newestToast = () => toasts.list()[0];

function closeToasts(): void {
  for (const { id } of toasts.list()) toasts.close(id);
}

/** Returns the plan that the palette shows. */
export function pendingPlan() {
  const state = store.get(paletteAtom);
  return state.open ? state.preparedRun?.plan : undefined;
}

/** Confirms the plan that the palette shows. */
export async function confirm(): Promise<void> {
  const state = store.get(paletteAtom);
  if (!state.open || !state.preparedRun) throw new Error('no plan is pending');
  store.set(paletteAtom, { open: false });
  await execute(state.preparedRun);
}
