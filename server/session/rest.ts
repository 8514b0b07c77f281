import type { DescMethod } from '@bufbuild/protobuf';

import type { App } from '#server/app/app.ts';
import { chargeTo } from '#server/db/pool/caller.ts';
import { forCaller } from '#server/db/pool/work.ts';
import type { PolicyOf } from '#server/policies/rpcs.ts';

import { authenticate } from './authenticate.ts';
import { requirePolicy } from './interceptor.ts';
import { resolveScope } from './resolve.ts';
import type { Scope } from './scope.ts';
import { permissionDenied } from './scope.ts';
import { readOnlyError, recordCall, toOutcome } from './support-calls.ts';

/** A request that does over plain HTTP what an rpc does, under the same policy. */
export interface RestCall {
  readonly method: DescMethod;
  readonly headers: Headers;
  readonly organization: string;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
}

/**
 * Runs a request for its caller as {@link sessionInterceptor} runs an rpc: authenticated, in an organization within
 * reach, with the permissions of the rpc, and recorded if the caller is support staff.
 *
 * @throws ConnectError if the caller may not call the rpc
 */
export async function runForCaller<T>(
  app: App,
  policyOf: PolicyOf,
  { method, headers, organization, signal }: RestCall,
  run: (scope: Scope) => Promise<T>,
): Promise<T> {
  return forCaller(signal, async () => {
    const policy = policyOf(method);
    const session = await authenticate(app, headers);
    const scope = await resolveScope(app, session, organization);
    if (scope === undefined) throw permissionDenied('PERMISSION_DEFAULT', organization);
    chargeTo(scope.organization);
    const runAllowed = async (): Promise<T> => {
      requirePolicy(policy, session, scope);
      app.activity.record(scope, method);
      return run(scope);
    };
    if (!scope.isSupportAccess) return runAllowed();
    const changes = policy.effect === 'change';
    const staff = { organization: scope.organization, userId: session.user.id };
    const { supportSession, recordOutcome } = await recordCall(app, staff, method, changes);
    try {
      if (changes && supportSession.changesAllowedAt === null) throw readOnlyError(scope.organization);
      const result = await runAllowed();
      await recordOutcome('ok');
      return result;
    } catch (error) {
      await recordOutcome(toOutcome(error));
      throw error;
    }
  });
}
