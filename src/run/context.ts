import type { Context, Progress } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';
import { queryClient, referenceKey } from '#src/data/query-client.ts';
import { api } from '#src/data/transport.ts';
import { focusAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom, type UserSession } from '#src/state/user-session.ts';

/** Reference data becomes stale after this time, unless events invalidate it sooner. */
const REFERENCE_MS = 5 * 60_000;

interface RunOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (progress: Progress) => void;
}

const neverAborted = new AbortController().signal;

let capabilities: Partial<HostCapabilities> = {};

/**
 * Adds host capabilities: the general ones at startup (`host.ts`), and those of each screen's table and panel.
 */
export function provide(newCapabilities: Partial<HostCapabilities>): void {
  capabilities = { ...capabilities, ...newCapabilities };
}

/**
 * Returns the context for a command that starts now.
 *
 * @throws CommandError if nobody is signed in
 */
export function contextNow(options: RunOptions = {}): Context {
  const session = store.get(userSessionAtom);
  if (!session) throw new CommandError(message('core:unavailable.signedOut'));
  return contextOf(session, options);
}

export function contextOf(
  session: UserSession,
  { signal = neverAborted, progress = () => undefined }: RunOptions = {},
): Context {
  const { actor, organization, preferences } = session;
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
        // Ignore the caller's signal: one caller's abort must not stop the load for others.
        queryFn: () => load(contextOf(session)),
        staleTime: REFERENCE_MS,
      }),
  };
}
