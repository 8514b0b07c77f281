import type { DescMethod, Message } from '@bufbuild/protobuf';
import { Code, ConnectError, type Interceptor, type StreamRequest } from '@connectrpc/connect';
import type { App } from '../app.ts';
import { effectOf } from '../policies/effects.ts';
import { lacking, type Policy, policyOf } from '../policies/policy.ts';
import { authenticate } from './authenticate.ts';
import { requireBoundedLists } from './list-bounds.ts';
import { organizationNamedIn } from './named-organization.ts';
import { resolveScope } from './resolve.ts';
import { permissionDenied, type Scope, scopeKey, sessionKey } from './scope.ts';
import type { Session } from './session.ts';
import { withinVisit } from './visiting.ts';

/**
 * Checks every call before its service sees it: who is calling, for which organization, and whether the policy of the
 * rpc lets them; what support staff do is recorded besides. Services find the outcome with `scope(context)`.
 */
export function sessionInterceptor(app: App): Interceptor {
  const policies = new Map<DescMethod, Policy>();
  const policyFor = (method: DescMethod): Policy => {
    const policy = policies.get(method) ?? policyOf(method);
    policies.set(method, policy);
    return policy;
  };
  return (next) => async (request) => {
    const { method, header, contextValues: values } = request;
    const policy = policyFor(method);
    if (policy.audience === 'everyone') return next(request);
    const { opening, whole } = request.stream ? await opened(request) : { opening: request.message, whole: request };
    const session = await authenticate(app, header);
    requireBoundedLists(method.input, opening);
    const scope = await scopeOf(app, policy, session, method, opening);
    values.set(sessionKey, session);
    values.set(scopeKey, scope);
    const answer = async () => {
      requirePolicy(policy, session, scope);
      if (scope !== undefined) app.activity.record(scope, method);
      return next(whole);
    };
    const supporting = scope?.supporting === true && effectOf(method, opening) !== 'own';
    return supporting ? withinVisit(app, scope, request, answer) : answer();
  };
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
  { audience }: Policy,
  session: Session,
  method: DescMethod,
  message: Message,
): Promise<Scope | undefined> {
  if (audience === 'caller') return undefined;
  const scope = await resolveScope(app, session, organizationNamedIn(method, message));
  if (scope !== undefined || audience !== 'organization') return scope;
  const barred = session.memberships.find((each) => each.barred !== undefined)?.barred;
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
