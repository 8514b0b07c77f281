import type { Invocation } from '#commands/model/invocation.ts';
import { lastInvocation } from '#commands/run/history.ts';
import { store } from '#src/state/store.ts';
import { historyAtom } from '#src/state/work.ts';

import { contextNow } from './context.ts';

/** Returns the last command run in this organization. */
export function lastRun(): Invocation | undefined {
  return lastInvocation(store.get(historyAtom), contextNow().organization.id);
}
