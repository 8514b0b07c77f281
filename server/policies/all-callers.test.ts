import { create, type DescMessage, type DescMethod, type Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { Code, type ConnectError, type Transport } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createRoutes } from '#server/http/rpc/routes.ts';
import { handledMethods } from '#server/testkit/coverage.ts';
import { createCallers, createBoundaryTokens, type Person } from '#server/testkit/policies/people.ts';
import { expectedPermissions, type ExpectedPermissions } from '#server/testkit/policies/permissions.ts';
import { methodNamed } from '#server/testkit/policies/rpcs.ts';
import { captureError, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';
import { unimplementedRpcs } from '#server/testkit/unimplemented-rpcs.ts';

let t: TestServer;
let people: Person[];
/** The names of the registered services. Every rpc in another service is UNIMPLEMENTED for any caller. */
let servedServices: ReadonlySet<string>;
beforeAll(async () => {
  t = await startTestServer();
  const routes = createRoutes(t.app, new AbortController().signal);
  servedServices = new Set([...handledMethods(routes)].map(({ parent }) => parent.name));
  people = await createCallers(t);
});
afterAll(() => t.close());

const isServed = ({ rpc }: ExpectedPermissions): boolean => servedServices.has(rpc.split('.').at(-2) ?? '');

/** What requests call their organization field, if not `organization`. */
const organizationFields: Readonly<Record<string, string>> = {
  'hiber.organization.OrganizationService.Create': 'parent_organization',
  'hiber.organization.OrganizationService.Delete': 'parent_organization',
};

/**
 * Sets the organization in an otherwise empty request.
 *
 * @returns false if the request has no field for it
 */
function fillOrganization(
  { rpc, audience }: ExpectedPermissions,
  schema: DescMessage,
  request: Message,
  organization: string,
): boolean {
  if (audience === 'caller' || audience === 'everyone') return false;
  const field = schema.fields.find((descField) => descField.name === (organizationFields[rpc] ?? 'organization'));
  if (field?.fieldKind !== 'scalar') return false;
  reflect(schema, request).set(field, organization);
  return true;
}

interface ExpectedError {
  readonly code: Code;
  /** The message contains one of these fragments. */
  readonly fragments: readonly string[];
}

/** Returns the error expected before the call reaches its service; undefined if the call must reach it. */
function expectedError(
  person: Person,
  { audience, required, effect }: ExpectedPermissions,
  namesOrganization: boolean,
): ExpectedError | undefined {
  if (audience === 'everyone') return undefined;
  if (person.unauthenticated) return { code: Code.Unauthenticated, fragments: [''] };
  const denial = (...fragments: string[]): ExpectedError => ({ code: Code.PermissionDenied, fragments });
  if (namesOrganization && person.isOutOfReach) {
    return denial(`You don't have access to organization "${person.requested}".`);
  }
  const home = person.blockedReason === undefined ? person.home : undefined;
  const organization = audience === 'caller' ? undefined : namesOrganization ? person.requested : home;
  if (audience === 'organization' && organization === undefined) {
    return denial(person.blockedReason ?? "You're not a member of any organization yet. Join one first.");
  }
  if (namesOrganization && person.readOnly && effect === 'change') return denial('is read-only. Allow changes first');
  const missing = required.filter((permission) => !person.permissions.has(permission));
  const inOrganization = organization === undefined ? '' : ` in organization "${organization}"`;
  const fragments = missing.map((permission) => `You need the ${permission} permission${inOrganization} to do this.`);
  return fragments.length === 0 ? undefined : denial(...fragments);
}

/**
 * Matches errors raised before the call reaches its service. The service's own response to an empty request isn't
 * checked here.
 */
const GATE_ERRORS =
  /^You don't have access to organization|not a member of any organization|support session for ".+" is read-only|only admits addresses/;

function isAdmitted(row: ExpectedPermissions, error: ConnectError | undefined): boolean {
  if (unimplementedRpcs.includes(row.rpc)) return error?.code === Code.Unimplemented;
  if (error === undefined) return true;
  if ([Code.Internal, Code.Unknown, Code.Unauthenticated, Code.Unimplemented].includes(error.code)) return false;
  if (GATE_ERRORS.test(error.rawMessage)) return false;
  const permission = /^You need the (\w+) permission/.exec(error.rawMessage)?.[1];
  // The service checks the other permissions that an rpc is annotated with.
  const { organization, user, support, required } = row;
  return (
    permission === undefined ||
    ([...organization, ...user, ...support].includes(permission) && !required.includes(permission))
  );
}

/** Makes a call and describes its result if unexpected; returns undefined otherwise. */
async function findUnexpectedResult(
  person: Person,
  transport: Transport,
  row: ExpectedPermissions,
): Promise<string | undefined> {
  const method = methodNamed.get(row.rpc) as DescMethod;
  const request = create(method.input);
  const namesOrganization =
    person.requested !== undefined && fillOrganization(row, method.input, request, person.requested);
  const error = await captureError(transport, method, request);
  const expected = expectedError(person, row, namesOrganization);
  const code = error && Code[error.code];
  const actual = error === undefined ? 'admitted' : `${code}: ${error.rawMessage}`;
  const message = (outcome: string) => `${row.rpc}: ${actual}; expected: ${outcome}`;
  if (!isServed(row)) {
    const matches =
      error?.code === Code.Unimplemented || (person.unauthenticated === true && error?.code === Code.Unauthenticated);
    return matches ? undefined : message('Unimplemented');
  }
  if (expected === undefined) return isAdmitted(row, error) ? undefined : message('admitted');
  const { fragments } = expected;
  const matches = error?.code === expected.code && fragments.some((fragment) => error.rawMessage.includes(fragment));
  return matches ? undefined : message(`${Code[expected.code]}: ${fragments.join(' or ')}`);
}

/**
 * Calls that affect the caller come last, because they end a support session or role override, or delete the account.
 */
const orderedPermissions = expectedPermissions.toSorted((a, b) => rank(a) - rank(b));
function rank({ rpc, effect }: ExpectedPermissions): number {
  if (rpc.endsWith('.DeleteCurrentUser')) return 3;
  if (/\.(OverrideRoles|RestoreRoles|Override|Restore|EndSupportSession|AllowChanges)$/.test(rpc)) return 2;
  return effect === 'own' ? 1 : 0;
}

const kinds = [
  'nobody',
  'a newcomer',
  'a member with the viewer role',
  'a member with the operator role',
  'a member with the developer role',
  'a member with the installer role',
  'a member with the administrator role',
  'a member with two roles',
  'an administrator overridden to viewer',
  'a viewer overridden to administrator',
  'the administrator of a parent organization',
  'the administrator of a child organization',
  'the administrator of another tenant',
  'a suspended member',
  'a member barred by a rule',
  'a viewer in a child of an organization that bars them',
  'barred support staff who are viewers elsewhere',
  'read-only support staff',
  'support staff with changes allowed',
  'support staff whose session has ended',
  'support staff whose session has expired',
  'a PERSONAL token of support staff',
  'a token without permissions',
  'a token with two permissions',
  'a token with a role',
  'a token with every permission',
  'a token that names another tenant',
  'a token of a suspended member',
  'a token of support staff with every permission',
  'a token with limited impersonation',
  'a PERSONAL token of a user overridden to viewer',
  'an expired token',
  'a token of a deleted account',
];

describe('every rpc', () => {
  test.each(kinds)('admits or denies %s as the contract specifies', async (name) => {
    const person = people.find((item) => item.name === name);
    if (person === undefined) throw new Error(`Unknown caller "${name}".`);
    const transport = transportFor(t.app, person.bearer);
    const unexpected: string[] = [];
    for (const row of orderedPermissions) {
      const result = await findUnexpectedResult(person, transport, row);
      if (result !== undefined) unexpected.push(result);
    }
    expect(unexpected).toEqual([]);
  });

  test('is called by every kind of caller', () => expect(people.map(({ name }) => name)).toEqual(kinds));

  test('requires exactly the listed permissions from a token', async () => {
    const unexpected: string[] = [];
    let callCount = 0;
    for (const row of expectedPermissions.filter(isServed)) {
      for (const person of await createBoundaryTokens(t, row.rpc, row.required)) {
        callCount++;
        const result = await findUnexpectedResult(person, transportFor(t.app, person.bearer), row);
        if (result !== undefined) unexpected.push(`${person.name}: ${result}`);
      }
    }
    expect(unexpected).toEqual([]);
    expect(callCount).toBeGreaterThan(250);
  });
});
