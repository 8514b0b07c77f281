import type { DescMessage, DescMethod, DescService, Message, MessageShape } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';

import type { OrganizationPermissionName, SupportPermissionName, UserPermissionName } from './permissions.ts';

/** The kind of caller that an rpc requires. */
export type Audience =
  /** Anyone, signed in or not. */
  | 'everyone'
  /** A signed-in user or token; the request is about the caller, and no organization is resolved. */
  | 'caller'
  /** Like `caller`, but an organization named in the request must be accessible, and its permissions are resolved. */
  | 'caller-in-organization'
  /** A caller with access to the organization named in the request, or to their default organization. */
  | 'organization';

/** The effect of a call on its organization. Read-only support sessions deny changes. */
export type Effect =
  /** Changes nothing. */
  | 'read'
  /** Changes or triggers something in the organization. */
  | 'change'
  /** Affects only the caller, in any organization. */
  | 'own';

/** The conditions for a call to reach its service. */
interface Gate {
  readonly audience: Audience;
  readonly effect: Effect;
  /** All of these permissions are required in the call's organization. An empty list admits any member. */
  readonly organization: readonly OrganizationPermissionName[];
  readonly user: readonly UserPermissionName[];
  readonly support: readonly SupportPermissionName[];
  /** Paths of the request fields that can contain the organization. The first field that is set counts. */
  readonly organizationIn: readonly string[];
}

export interface Policy extends Gate {
  /** The request field for a member. Unless it is set, the call affects only the caller, regardless of `effect`. */
  readonly ownUnless?: string;
}

/** One row for each rpc in a service. An rpc without a row, or a row without an rpc, doesn't compile. */
type Rows<S extends DescService> = {
  readonly [M in keyof S['method']]: Gate & {
    readonly ownUnless?: Exclude<keyof MessageShape<S['method'][M]['input']>, `$${string}`>;
  };
};

/** The policy of a service, which defines who can call each rpc. */
export interface ServicePolicy<S extends DescService = DescService> {
  readonly service: S;
  readonly rows: Rows<S>;
}

/**
 * Declares the policy of a service. A row lists the permissions that the whole call requires. The contract lists every
 * permission related to an rpc (contract: Permissions). A permission that only widens the result or guards a single
 * field isn't in the row, because the service checks it with `scope.can`.
 */
export function rpcs<S extends DescService>(service: S, rows: Rows<S>): ServicePolicy<S> {
  return { service, rows };
}

/** The gate for rpcs that are open to anyone, signed in or not, and that only read. */
export const openGate: Gate = {
  audience: 'everyone',
  effect: 'read',
  organization: [],
  user: [],
  support: [],
  organizationIn: ['organization'],
};

/**
 * Declares an rpc that only reads. Requires all of the given permissions in the organization, or only membership if the
 * list is empty.
 */
export const read = (...organization: readonly OrganizationPermissionName[]): Gate => ({
  ...openGate,
  audience: 'organization',
  organization,
});

/** Declares an rpc that changes or triggers something in the organization. Requires permissions as `read` does. */
export const change = (...organization: readonly OrganizationPermissionName[]): Gate => ({
  ...read(...organization),
  effect: 'change',
});

/** Declares an rpc that affects only the caller, in any organization. Requires all of the given user permissions. */
export const ownAccount = (...user: readonly UserPermissionName[]): Gate => ({
  ...openGate,
  audience: 'caller',
  effect: 'own',
  user,
});

/** Returns the gRPC name of an rpc, `package.Service.Method`. */
export const rpcName = (method: DescMethod): string => `${method.parent.typeName}.${method.name}`;

/**
 * Returns the effect of a request. If there is no request, assumes one that names another member, if the rpc allows it.
 */
export function effectOf({ effect, ownUnless }: Policy, { input }: DescMethod, request?: Message): Effect {
  const field = ownUnless === undefined ? undefined : input.field[ownUnless];
  return field === undefined || request === undefined || reflect(input, request).isSet(field) ? effect : 'own';
}

/** Returns the slug of the organization named in the request; undefined if there is none. */
export function organizationNamedIn({ organizationIn }: Policy, { input }: DescMethod, message: Message) {
  for (const path of organizationIn) {
    const organization = textAt(input, message, path.split('.'));
    if (organization) return organization;
  }
  return undefined;
}

function textAt(schema: DescMessage, message: Message, [name, ...path]: readonly string[]): string | undefined {
  const field = schema.fields.find((candidate) => candidate.name === name);
  const reflected = reflect(schema, message);
  if (field === undefined || !reflected.isSet(field)) return undefined;
  if (field.fieldKind === 'message') return textAt(field.message, reflected.get(field).message, path);
  const value: unknown = field.fieldKind === 'scalar' ? reflected.get(field) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/**
 * Finds the policy of an rpc.
 *
 * @throws Error for an rpc without a policy
 */
export type PolicyOf = (method: DescMethod) => Policy;

export function policyTable(policies: readonly ServicePolicy[]): PolicyOf {
  const byService = new Map<string, Readonly<Record<string, Policy>>>(
    policies.map(({ service, rows }) => [service.typeName, rows]),
  );
  return (method) => {
    const policy = byService.get(method.parent.typeName)?.[method.localName];
    if (policy === undefined) throw new Error(`${rpcName(method)} has no policy.`);
    return policy;
  };
}
