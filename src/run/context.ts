import type { Context, Progress } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';

import { queryClient, referenceKey } from '#src/data/query-client.ts';
import { api } from '#src/data/transport.ts';
import { actingAtom, type Acting } from '#src/state/acting.ts';
import { focusAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';

/** Reference data is asked for again after this long; events drop it sooner. */
const REFERENCE_MS = 5 * 60_000;

interface Run {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}

const never = new AbortController().signal;

let capabilities: Partial<HostCapabilities> = {};

/** Called once at start: what this host can do (`host.ts`), and per screen what the table and the panel offer. */
export function provide(more: Partial<HostCapabilities>): void {
  capabilities = { ...capabilities, ...more };
}

/** The context of a command started now. @throws CommandError when nobody is signed in. */
export function contextNow(run: Run = {}): Context {
  const acting = store.get(actingAtom);
  if (!acting) throw new CommandError(message('core:unavailable.signedOut'));
  return contextOf(acting, run);
}

export function contextOf(acting: Acting, { signal = never, progress = () => undefined }: Run = {}): Context {
  const { actor, organization, preferences } = acting;
  return {
    api,
    actor,
    organization,
    preferences,
    focus: store.get(focusAtom),
    host: capabilities,
    signal,
    progress,
    now: () => new Date(),
    cached: (key, load) =>
      queryClient.fetchQuery({
        queryKey: referenceKey(organization.id, key),
        // One who stops waiting does not stop it for the others.
        queryFn: () => load(contextOf(acting)),
        staleTime: REFERENCE_MS,
      }),
  };
}
