import type { Context, Progress } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';
import { queryClient, referenceKey } from '#src/data/query-client.ts';
import { api } from '#src/data/transport.ts';
import { actingAtom, type Acting } from '#src/state/acting.ts';
import { focusAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';

/** Reference data becomes stale after this time; events invalidate it sooner. */
const REFERENCE_MS = 5 * 60_000;

interface Run {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}

const neverAborted = new AbortController().signal;

let capabilities: Partial<HostCapabilities> = {};

/**
 * Registers capabilities of the host: general capabilities at startup (`host.ts`), and those of each screen's table and
 * panel.
 */
export function provide(added: Partial<HostCapabilities>): void {
  capabilities = { ...capabilities, ...added };
}

/**
 * Returns the context for a command that starts now.
 *
 * @throws CommandError if nobody is signed in
 */
export function contextNow(run: Run = {}): Context {
  const acting = store.get(actingAtom);
  if (!acting) throw new CommandError(message('core:unavailable.signedOut'));
  return contextOf(acting, run);
}

export function contextOf(acting: Acting, { signal = neverAborted, progress = () => undefined }: Run = {}): Context {
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
    loadCached: (key, load) =>
      queryClient.fetchQuery({
        queryKey: referenceKey(organization.id, key),
        // Not tied to the caller's signal: one caller's abort must not stop the load for others.
        queryFn: () => load(contextOf(acting)),
        staleTime: REFERENCE_MS,
      }),
  };
}
