import type { DescMethod } from '@bufbuild/protobuf';

import type { App } from '#server/app/app.ts';
import { forCaller } from '#server/db/pool/work.ts';
import { effectOf, type PolicyOf } from '#server/policies/rpcs.ts';

import { findScope, runIfAllowed } from './admission.ts';
import { authenticate } from './authenticate.ts';
import type { Scope } from './scope.ts';

/** A request that does over plain HTTP what an rpc does, under the same policy. */
export interface RestCall {
  readonly method: DescMethod;
  readonly headers: Headers;
  readonly organization: string;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
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
  run: (scope: Scope) => Promise<T>,
): Promise<T> {
  return forCaller(signal, async () => {
    const policy = policyOf(method);
    const session = await authenticate(app, headers);
    const scope = await findScope(app, policy, session, organization);
    if (scope === undefined) throw new Error(`${method.name} isn't about an organization.`);
    return runIfAllowed(
      app,
      { method, policy, effect: effectOf(policy, method), session, scope },
      async (supportCall) => {
        const result = await run(scope);
        await supportCall?.recordOutcome('ok');
        return result;
      },
    );
  });
}
