import type { DescMessage, DescMethod, Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { Code, ConnectError, type ContextValues, type Interceptor } from '@connectrpc/connect';
import type { App } from '../app.ts';
import { lacking, type Policy, policyOf, rpcName } from '../policies/policy.ts';
import { authenticate } from './authenticate.ts';
import { resolveScope } from './resolve.ts';
import { permissionDenied, scopeKey, sessionKey } from './scope.ts';

/**
 * Checks every call before its service sees it: who is calling, for which organization, and whether the policy of the
 * rpc lets them. Services find the outcome with `scope(context)`.
 */
export function sessionInterceptor(app: App): Interceptor {
  const policies = new Map<DescMethod, Policy>();
  const policyFor = (method: DescMethod): Policy => {
    const policy = policies.get(method) ?? policyOf(method);
    policies.set(method, policy);
    return policy;
  };
  return (next) => async (request) => {
    const policy = policyFor(request.method);
    if (policy.audience === 'everyone') return next(request);
    if (!request.stream) {
      await admit(app, policy, request.header, request.method, request.message, request.contextValues);
      return next(request);
    }
    // A streaming request is a sequence; the contract has none with more than the one message that opens it.
    const messages = request.message[Symbol.asyncIterator]();
    const first = await messages.next();
    if (first.done) throw new ConnectError('The request carries no message.', Code.InvalidArgument);
    await admit(app, policy, request.header, request.method, first.value, request.contextValues);
    return next({ ...request, message: startingWith(first.value, messages) });
  };
}

async function* startingWith<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let each = await rest.next(); !each.done; each = await rest.next()) yield each.value;
}

async function admit(
  app: App,
  policy: Policy,
  headers: Headers,
  method: DescMethod,
  message: Message,
  values: ContextValues,
): Promise<void> {
  const session = await authenticate(app, headers);
  values.set(sessionKey, session);
  const scoped = policy.audience !== 'caller';
  const scope = scoped ? await resolveScope(app, session, namedIn(method, message)) : undefined;
  if (policy.audience === 'organization' && scope === undefined) {
    const barred = session.memberships.find((each) => each.barred !== undefined)?.barred;
    const sentence = barred ?? 'You are not a member of any organization yet: join one first.';
    throw new ConnectError(sentence, Code.PermissionDenied);
  }
  values.set(scopeKey, scope);
  const { userPermissions, supportPermissions } = session;
  const lacks = lacking(policy, (permission) =>
    scope === undefined
      ? (userPermissions as ReadonlySet<string>).has(permission) ||
        (supportPermissions as ReadonlySet<string>).has(permission)
      : scope.can(permission),
  );
  if (lacks !== undefined) throw permissionDenied(lacks, scope?.organization);
}

/** Where a request names its organization, for those that have no field `organization` of their own. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'hiber.organization.OrganizationService.Create': ['parent_organization'],
  'hiber.organization.OrganizationService.Delete': ['parent_organization'],
  // Two list requests in one; the parents' is asked first.
  'hiber.modem.ModemService.Grouped': ['groups.organization', 'group_content.organization'],
};

/** @returns the slug that the request names; undefined or empty when it names none */
function namedIn(method: DescMethod, message: Message): string | undefined {
  const paths = elsewhere[rpcName(method)] ?? ['organization'];
  for (const path of paths) {
    const named = textAt(method.input, message, path.split('.'));
    if (named) return named;
  }
  return undefined;
}

function textAt(schema: DescMessage, message: Message, [name, ...rest]: string[]): string | undefined {
  const field = schema.fields.find((each) => each.name === name);
  const reflected = reflect(schema, message);
  if (field === undefined || !reflected.isSet(field)) return undefined;
  if (field.fieldKind === 'message') return textAt(field.message, reflected.get(field).message, rest);
  const value: unknown = field.fieldKind === 'scalar' ? reflected.get(field) : undefined;
  return typeof value === 'string' ? value : undefined;
}
