import type { DescMessage, DescMethod, DescService, Message, MessageShape } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { OrganizationPermissionName, SupportPermissionName, UserPermissionName } from './permissions.ts';

/** Whom an rpc asks for before anything else. */
export type Audience =
  /** Anybody, signed in or not. */
  | 'everyone'
  /** A signed-in person or token; the request is about themselves, and no organization is resolved. */
  | 'caller'
  /** As `caller`, but an organization that the request names must be accessible, and its permissions are resolved. */
  | 'caller-in-organization'
  /** Somebody with access to the organization that the request names, or to their default one. */
  | 'organization';

/** What a call does to the organization that it acts in; support staff who only read may not change. */
export type Effect =
  /** Changes nothing. */
  | 'read'
  /** Changes something, or makes something happen there. */
  | 'change'
  /** Affects only the caller, wherever they act. */
  | 'own';

/** What must hold for a call to reach its service. */
interface Gate {
  readonly audience: Audience;
  readonly effect: Effect;
  /** All of these, in the organization that is acted in. Empty: any member. */
  readonly organization: readonly OrganizationPermissionName[];
  readonly user: readonly UserPermissionName[];
  readonly support: readonly SupportPermissionName[];
  /** Fields of the request that may name the organization, first one first; each a path of field names. */
  readonly organizationIn: readonly string[];
}

export interface Policy extends Gate {
  /** Affects only the caller, whatever `effect` says, unless the request names a member in this field. */
  readonly ownUnless?: string;
}

/** One row for each rpc of a service: an rpc without a row, or a row without an rpc, does not compile. */
type Rows<S extends DescService> = {
  readonly [M in keyof S['method']]: Gate & {
    readonly ownUnless?: Exclude<keyof MessageShape<S['method'][M]['input']>, `$${string}`>;
  };
};

/** Who may call the rpcs of a service. */
export interface ServicePolicy<S extends DescService = DescService> {
  readonly service: S;
  readonly rows: Rows<S>;
}

/**
 * Declares who may call the rpcs of a service. A row lists what gates the call as a whole. The contract lists every
 * permission that has to do with an rpc (contract: Permissions); those that only widen the result or guard one field
 * are not in the row: the service asks for them with `scope.can`.
 */
export function rpcs<S extends DescService>(service: S, rows: Rows<S>): ServicePolicy<S> {
  return { service, rows };
}

/** Anybody may call it, signed in or not. It only reads. */
export const open: Gate = {
  audience: 'everyone',
  effect: 'read',
  organization: [],
  user: [],
  support: [],
  organizationIn: ['organization'],
};

/** Only reads. Asks for all of these permissions in the organization; without any, for membership. */
export const read = (...organization: readonly OrganizationPermissionName[]): Gate => ({
  ...open,
  audience: 'organization',
  organization,
});

/** Changes something in the organization, or makes something happen there. Permissions as for `read`. */
export const change = (...organization: readonly OrganizationPermissionName[]): Gate => ({
  ...read(...organization),
  effect: 'change',
});

/** Affects only the caller, wherever they act. Asks for all of these permissions over the own account. */
export const own = (...user: readonly UserPermissionName[]): Gate => ({
  ...open,
  audience: 'caller',
  effect: 'own',
  user,
});

/** `package.Service.Method`, as gRPC writes the name of an rpc. */
export const rpcName = (method: DescMethod): string => `${method.parent.typeName}.${method.name}`;

/** The effect of one request; without a request, of one that names somebody else where it can. */
export function effectOf({ effect, ownUnless }: Policy, { input }: DescMethod, request?: Message): Effect {
  const named = ownUnless === undefined ? undefined : input.field[ownUnless];
  return named === undefined || request === undefined || reflect(input, request).isSet(named) ? effect : 'own';
}

/** @returns the slug of the organization that the request names; undefined when it names none */
export function organizationNamedIn({ organizationIn }: Policy, { input }: DescMethod, message: Message) {
  for (const path of organizationIn) {
    const named = textAt(input, message, path.split('.'));
    if (named) return named;
  }
  return undefined;
}

function textAt(schema: DescMessage, message: Message, [name, ...rest]: readonly string[]): string | undefined {
  const field = schema.fields.find((candidate) => candidate.name === name);
  const reflected = reflect(schema, message);
  if (field === undefined || !reflected.isSet(field)) return undefined;
  if (field.fieldKind === 'message') return textAt(field.message, reflected.get(field).message, rest);
  const value: unknown = field.fieldKind === 'scalar' ? reflected.get(field) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Finds the policy of an rpc. @throws Error for an rpc that no policy covers */
export type PolicyOf = (method: DescMethod) => Policy;

export function policyTable(policies: readonly ServicePolicy[]): PolicyOf {
  const byService = new Map<string, Readonly<Record<string, Policy>>>(
    policies.map(({ service, rows }) => [service.typeName, rows]),
  );
  return (method) => {
    const policy = byService.get(method.parent.typeName)?.[method.localName];
    if (policy === undefined) throw new Error(`No policy says who may call ${rpcName(method)}.`);
    return policy;
  };
}
