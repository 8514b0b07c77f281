import type { DescMethod, Message } from '@bufbuild/protobuf';
import { Code, ConnectError, type Interceptor, type StreamRequest, type UnaryRequest } from '@connectrpc/connect';

import type { App } from '#server/app/app.ts';
import { chargeTo } from '#server/db/pool/caller.ts';
import { missingPermission } from '#server/policies/permissions.ts';
import { effectOf, organizationNamedIn, type Policy, type PolicyOf } from '#server/policies/rpcs.ts';
import { requireSupported } from '#server/wire/requests/check.ts';

import { accessWatchKey } from './access-changes.ts';
import { authenticate } from './authenticate.ts';
import { resolveScope } from './resolve.ts';
import { permissionDenied, type Scope, scopeKey, sessionKey } from './scope.ts';
import type { Session } from './session.ts';
import { runInSupportSession } from './support-calls.ts';

/**
 * Authenticates the caller, finds the organization, and checks the rpc's policy before the service runs. Also records
 * calls by support staff. Services read the result with `scope(context)`.
 */
export function sessionInterceptor(app: App, policyOf: PolicyOf): Interceptor {
  return (next) => async (request) => {
    const { method, header, contextValues: values } = request;
    const policy = policyOf(method);
    if (request.stream && policy.audience !== 'everyone') watchAccess(app, request);
    const { firstMessage, request: forwardedRequest } = request.stream
      ? await readFirstMessage(request)
      : { firstMessage: request.message, request };
    if (policy.audience === 'everyone') {
      requireSupported(method.input, firstMessage);
      return next(forwardedRequest);
    }
    const session = await authenticate(app, header);
    requireSupported(method.input, firstMessage);
    const scope = await createScope(app, policy, session, method, firstMessage);
    if (scope !== undefined) chargeTo(scope.organization);
    values.set(sessionKey, session);
    values.set(scopeKey, scope);
    const run = async () => {
      requirePolicy(policy, session, scope);
      if (scope !== undefined) app.activity.record(scope, method);
      const response = await next(forwardedRequest);
      return response.stream ? { ...response, message: requireWatch(response.message, request) } : response;
    };
    const effect = effectOf(policy, method, firstMessage);
    const isSupportAccess = scope?.isSupportAccess === true && effect !== 'own';
    return isSupportAccess ? runInSupportSession(app, scope, { request, changes: effect === 'change' }, run) : run();
  };
}

/** Starts before reading anything that determines access, so no change can be missed in between. */
function watchAccess(app: App, { contextValues, signal }: StreamRequest): void {
  const watch = app.bus.watchAccess();
  contextValues.set(accessWatchKey, watch);
  // Aborts at the end of every call, for any reason.
  signal.addEventListener('abort', () => watch.close(), { once: true });
  if (signal.aborted) watch.close();
}

/**
 * Passes messages on while the call watches the caller's access.
 *
 * @throws Error if the rpc does not call `onAccessChanged`, because its stream would outlive the caller's access
 */
async function* requireWatch<T>(messages: AsyncIterable<T>, { method, contextValues }: StreamRequest | UnaryRequest) {
  for await (const message of messages) {
    if (contextValues.get(accessWatchKey)?.isActive !== true) {
      throw new Error(`${method.name} streams without watching its caller's access.`);
    }
    yield message;
  }
}

/** Reads the first message of a streaming request; no request in the contract has more than one. */
async function readFirstMessage(request: StreamRequest): Promise<{ firstMessage: Message; request: StreamRequest }> {
  const messages = request.message[Symbol.asyncIterator]();
  const first = await messages.next();
  if (first.done) throw new ConnectError('The request contains no message.', Code.InvalidArgument);
  return { firstMessage: first.value, request: { ...request, message: prepend(first.value, messages) } };
}

async function* prepend<T>(first: T, iterator: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let result = await iterator.next(); !result.done; result = await iterator.next()) yield result.value;
}

async function createScope(
  app: App,
  policy: Policy,
  session: Session,
  method: DescMethod,
  message: Message,
): Promise<Scope | undefined> {
  if (policy.audience === 'caller') return undefined;
  const scope = await resolveScope(app, session, organizationNamedIn(policy, method, message));
  if (scope !== undefined || policy.audience !== 'organization') return scope;
  const blockedReason = session.memberships.find((membership) => membership.blockedReason !== undefined)?.blockedReason;
  const reason = blockedReason ?? "You're not a member of any organization yet. Join one first.";
  throw new ConnectError(reason, Code.PermissionDenied);
}

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
