import type { DescMethod, Message } from '@bufbuild/protobuf';
import { Code, ConnectError, type Interceptor, type StreamRequest, type UnaryRequest } from '@connectrpc/connect';
import type { App } from '#server/app/app.ts';
import { chargeTo } from '#server/db/pool/caller.ts';
import { effectOf, organizationNamedIn, type Policy, type PolicyOf } from '#server/policies/rpcs.ts';
import { lacking } from '#server/policies/permissions.ts';
import { requireServable } from '#server/wire/requests/check.ts';
import { authenticate } from './authenticate.ts';
import { resolveScope } from './resolve.ts';
import { rightsWatchKey } from './rights.ts';
import { permissionDenied, type Scope, scopeKey, sessionKey } from './scope.ts';
import type { Session } from './session.ts';
import { withinVisit } from './visiting.ts';

/**
 * Checks every call before its service sees it: who is calling, for which organization, and whether the policy of the
 * rpc lets them; what support staff do is recorded besides. Services find the outcome with `scope(context)`.
 */
export function sessionInterceptor(app: App, policyOf: PolicyOf): Interceptor {
  return (next) => async (request) => {
    const { method, header, contextValues: values } = request;
    const policy = policyOf(method);
    if (request.stream && policy.audience !== 'everyone') watchRights(app, request);
    const { opening, whole } = request.stream ? await opened(request) : { opening: request.message, whole: request };
    if (policy.audience === 'everyone') {
      requireServable(method.input, opening);
      return next(whole);
    }
    const session = await authenticate(app, header);
    requireServable(method.input, opening);
    const scope = await scopeOf(app, policy, session, method, opening);
    if (scope !== undefined) chargeTo(scope.organization);
    values.set(sessionKey, session);
    values.set(scopeKey, scope);
    const answer = async () => {
      requirePolicy(policy, session, scope);
      if (scope !== undefined) app.activity.record(scope, method);
      const response = await next(whole);
      return response.stream ? { ...response, message: watched(response.message, request) } : response;
    };
    const effect = effectOf(policy, method, opening);
    const supporting = scope?.supporting === true && effect !== 'own';
    return supporting ? withinVisit(app, scope, { request, changes: effect === 'change' }, answer) : answer();
  };
}

/** Before any right is read, so that no change of rights falls between reading them and listening. */
function watchRights(app: App, { contextValues, signal }: StreamRequest): void {
  const watch = app.bus.watchRights();
  contextValues.set(rightsWatchKey, watch);
  // Aborted at the end of every call, however it ends.
  signal.addEventListener('abort', () => watch.close(), { once: true });
  if (signal.aborted) watch.close();
}

/**
 * @throws Error for an rpc that streams without `onRightsChanged`, and so would go on when its caller may no longer
 *   see it
 */
async function* watched<T>(messages: AsyncIterable<T>, { method, contextValues }: StreamRequest | UnaryRequest) {
  for await (const message of messages) {
    if (contextValues.get(rightsWatchKey)?.used !== true) {
      throw new Error(`${method.name} streams without watching the rights of its caller.`);
    }
    yield message;
  }
}

/** A streaming request is a sequence; the contract has none with more than the one message that opens it. */
async function opened(request: StreamRequest): Promise<{ opening: Message; whole: StreamRequest }> {
  const messages = request.message[Symbol.asyncIterator]();
  const first = await messages.next();
  if (first.done) throw new ConnectError('The request carries no message.', Code.InvalidArgument);
  return { opening: first.value, whole: { ...request, message: startingWith(first.value, messages) } };
}

async function* startingWith<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let each = await rest.next(); !each.done; each = await rest.next()) yield each.value;
}

async function scopeOf(
  app: App,
  policy: Policy,
  session: Session,
  method: DescMethod,
  message: Message,
): Promise<Scope | undefined> {
  if (policy.audience === 'caller') return undefined;
  const scope = await resolveScope(app, session, organizationNamedIn(policy, method, message));
  if (scope !== undefined || policy.audience !== 'organization') return scope;
  const barred = session.memberships.find((membership) => membership.barred !== undefined)?.barred;
  const sentence = barred ?? 'You are not a member of any organization yet: join one first.';
  throw new ConnectError(sentence, Code.PermissionDenied);
}

function requirePolicy(policy: Policy, session: Session, scope: Scope | undefined): void {
  const { userPermissions, supportPermissions } = session;
  const lacks = lacking(policy, (permission) =>
    scope === undefined
      ? (userPermissions as ReadonlySet<string>).has(permission) ||
        (supportPermissions as ReadonlySet<string>).has(permission)
      : scope.can(permission),
  );
  if (lacks !== undefined) throw permissionDenied(lacks, scope?.organization);
}
