import type { DescMethod } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';

import type { App } from '#server/app/app.ts';
import { chargeTo } from '#server/db/pool/caller.ts';
import { missingPermission } from '#server/policies/permissions.ts';
import type { Effect, Policy } from '#server/policies/rpcs.ts';

import { resolveScope } from './resolve.ts';
import { permissionDenied, type Scope } from './scope.ts';
import type { Session } from './session.ts';
import { type RecordedCall, runInSupportSession } from './support-calls.ts';

/** A call whose caller and organization are known. A request over plain HTTP counts as a call of its rpc. */
interface KnownCall {
  readonly method: DescMethod;
  readonly policy: Policy;
  readonly effect: Effect;
  readonly session: Session;
  readonly scope: Scope | undefined;
}

/**
 * Finds the organization that a call acts in.
 *
 * @param requested the organization in the request
 * @throws ConnectError PERMISSION_DENIED if it is out of reach, or if the call needs one and the caller has none
 */
export async function findScope(
  app: App,
  policy: Policy,
  session: Session,
  requested: string | undefined,
): Promise<Scope | undefined> {
  if (policy.audience === 'caller') return undefined;
  const scope = await resolveScope(app, session, requested);
  if (scope !== undefined || policy.audience !== 'organization') return scope;
  const blockedReason = session.memberships.find((membership) => membership.blockedReason !== undefined)?.blockedReason;
  const reason = blockedReason ?? "You're not a member of any organization yet. Join one first.";
  throw new ConnectError(reason, Code.PermissionDenied);
}

/**
 * Runs a call if its caller has the permissions. Calls by support staff for an organization of others run in a support
 * session, which `run` receives; `run` then records the outcome of a success.
 *
 * @throws ConnectError PERMISSION_DENIED, in addition to the errors of `run`
 */
export async function runIfAllowed<T>(
  app: App,
  { method, policy, effect, session, scope }: KnownCall,
  run: (supportCall: RecordedCall | undefined) => Promise<T>,
): Promise<T> {
  if (scope !== undefined) chargeTo(scope.organization);
  const runAllowed = (supportCall?: RecordedCall): Promise<T> => {
    requirePolicy(policy, session, scope);
    if (scope !== undefined) app.activity.record(scope, method);
    return run(supportCall);
  };
  if (scope?.isSupportAccess !== true || effect === 'own') return runAllowed();
  return runInSupportSession(app, scope, { method, changes: effect === 'change' }, async (supportCall) =>
    runAllowed(supportCall),
  );
}

/** @throws ConnectError PERMISSION_DENIED if a permission of the policy is missing */
export function requirePolicy(policy: Policy, session: Session, scope: Scope | undefined): void {
  const { userPermissions, supportPermissions } = session;
  const missing = missingPermission(policy, (permission) =>
    scope === undefined
      ? (userPermissions as ReadonlySet<string>).has(permission) ||
        (supportPermissions as ReadonlySet<string>).has(permission)
      : scope.can(permission),
  );
  if (missing !== undefined) throw permissionDenied(missing, scope?.organization);
}
