import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';

import type { App } from '#server/app/app.ts';
import { forCaller } from '#server/db/pool/work.ts';
import { accessSubject } from '#server/events/access.ts';
import { effectOf, type PolicyOf } from '#server/policies/rpcs.ts';

import { subjectsOf } from './access-changes.ts';
import { findScope, requirePolicy, runIfAllowed } from './admission.ts';
import { authenticate } from './authenticate.ts';
import type { Scope } from './scope.ts';
import type { Session } from './session.ts';
import type { SupportSession } from './support-sessions.ts';

/** A request that does over plain HTTP what an rpc does, under the same policy. */
export interface RestCall {
  readonly method: DescMethod;
  readonly headers: Headers;
  readonly organization: string;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
}

/** What a request may do, now and while it runs. */
export interface CallerAccess {
  readonly scope: Scope;
  /**
   * Checks the caller again if their access has changed or expired since the last check, which is cheap otherwise. A
   * request or response of several parts must call it before each of them. An ID token may expire meanwhile, since its
   * sign-in goes on.
   *
   * @param check what the request requires in addition to the policy of its rpc
   * @throws ConnectError if the caller may no longer make the request
   */
  requireStill(check?: (scope: Scope) => unknown): Promise<void>;
}

/**
 * Runs a request for its caller through the same checks as an rpc: authenticated, in an organization within reach, with
 * the permissions of the rpc, and recorded in a support session if the caller is support staff.
 *
 * @throws ConnectError if the caller may not call the rpc
 */
export async function runForCaller<T>(
  app: App,
  policyOf: PolicyOf,
  { method, headers, organization, signal }: RestCall,
  run: (access: CallerAccess) => Promise<T>,
): Promise<T> {
  return forCaller(signal, async () => {
    const policy = policyOf(method);
    // Opened before reading anything that determines access, so no change can be missed in between.
    const watch = app.bus.watchAccess();
    try {
      const { session, scope } = await admit();
      return await runIfAllowed(
        app,
        { method, policy, effect: effectOf(policy, method), session, scope },
        async (supportCall) => {
          const supportSession = supportCall?.supportSession;
          let [hasChanged, expiry] = [false, expiryOf(session, supportSession)];
          watch.watch(
            [...subjectsOf(scope), ...(supportSession ? [accessSubject.supportSession(supportSession)] : [])],
            () => (hasChanged = true),
          );
          const requireStill: CallerAccess['requireStill'] = async (check) => {
            if (!hasChanged && app.now().getTime() < expiry) return;
            if (supportSession) throw endedError(organization);
            // A change during the check counts for the next one.
            hasChanged = false;
            const current = await admit();
            expiry = expiryOf(current.session, undefined);
            requirePolicy(policy, current.session, current.scope);
            await check?.(current.scope);
          };
          const result = await run({ scope, requireStill });
          await supportCall?.recordOutcome('ok');
          return result;
        },
      );
    } finally {
      watch.close();
    }

    async function admit(): Promise<{ readonly session: Session; readonly scope: Scope }> {
      const session = await authenticate(app, headers);
      const scope = await findScope(app, policy, session, organization);
      if (scope === undefined) throw new Error(`${method.name} isn't about an organization.`);
      return { session, scope };
    }
  });
}

const expiryOf = ({ token }: Session, supportSession: SupportSession | undefined): number =>
  Math.min(token?.expiresAt?.getTime() ?? Infinity, supportSession?.endsAt.getTime() ?? Infinity);

const endedError = (organization: string): ConnectError =>
  new ConnectError(`Your support session for "${organization}" may have ended. Try again.`, Code.PermissionDenied);
