import { create, type DescMessage, type DescMethod, type Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { Code, type ConnectError, type Transport } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf, startTestServer, type TestServer, transportFor } from '#server/testkit/server.ts';
import { expectedRights, type ExpectedRights } from '#server/testkit/policies/rights.ts';
import { everybody, type Person, tokensAround } from '#server/testkit/policies/people.ts';
import { methodNamed } from '#server/testkit/policies/rpcs.ts';

let t: TestServer;
let people: Person[];
beforeAll(async () => {
  t = await startTestServer();
  people = await everybody(t);
});
afterAll(() => t.close());

/** The services that this server has. Every rpc of the others is UNIMPLEMENTED, whoever asks. */
const served = new Set(
  `CurrentUserService DeviceService EmailNotificationPreferencesService EventService Health HealthService MessageService
  ModemService OrganizationService RoleService ServerReflection ServerService SessionService SingleSignOnService SupportService TagService
  TestingService TokenService UnitPreferencesService UserService WebhookDeliveryService WebhookService`.split(/\s+/),
);

const isServed = ({ rpc }: ExpectedRights): boolean => served.has(rpc.split('.').at(-2) ?? '');

/** Where the organization stands in requests that do not call it `organization`. */
const organizationFields: Readonly<Record<string, string>> = {
  'hiber.organization.OrganizationService.Create': 'parent_organization',
  'hiber.organization.OrganizationService.Delete': 'parent_organization',
  'hiber.role.RoleService.Override': 'organization',
};

/** Names the organization in an otherwise empty request. @returns false when it has no place for it */
function named({ rpc, where }: ExpectedRights, schema: DescMessage, request: Message, organization: string): boolean {
  if (where === 'caller' || where === 'everyone') return false;
  const field = schema.fields.find((descField) => descField.name === (organizationFields[rpc] ?? 'organization'));
  if (field?.fieldKind !== 'scalar') return false;
  reflect(schema, request).set(field, organization);
  return true;
}

interface Foreseen {
  readonly code: Code;
  /** The refusal holds one of these. */
  readonly texts: readonly string[];
}

/** What must come of the call before its service sees it; undefined when it must get there. */
function foreseen(person: Person, { where, mustHold, effect }: ExpectedRights, names: boolean): Foreseen | undefined {
  if (where === 'everyone') return undefined;
  if (person.unknown) return { code: Code.Unauthenticated, texts: [''] };
  const denied = (...texts: string[]): Foreseen => ({ code: Code.PermissionDenied, texts });
  if (names && person.outOfReach) return denied(`There is no organization "${person.names}" that you have access to.`);
  const home = person.barred === undefined ? person.home : undefined;
  const place = where === 'caller' ? undefined : names ? person.names : home;
  if (where === 'organization' && place === undefined) {
    return denied(person.barred ?? 'You are not a member of any organization yet: join one first.');
  }
  if (names && person.onlyReads && effect === 'change') return denied('this visit may only read');
  const lacks = mustHold.filter((permission) => !person.holds.has(permission));
  const inPlace = place === undefined ? ', ' : ` in organization "${place}", `;
  const texts = lacks.map((permission) => `This needs the permission ${permission}${inPlace}which you do not hold.`);
  return texts.length === 0 ? undefined : denied(...texts);
}

/** What else may come of an empty request is the service's business; a refusal of these kinds is not. */
const GATES =
  /^There is no organization|not a member of any organization|this visit may only read|takes only addresses/;

function letThrough(rights: ExpectedRights, refusal: ConnectError | undefined): boolean {
  if (refusal === undefined) return true;
  if ([Code.Internal, Code.Unknown, Code.Unauthenticated, Code.Unimplemented].includes(refusal.code)) return false;
  if (GATES.test(refusal.rawMessage)) return false;
  const permission = /^This needs the permission (\w+)/.exec(refusal.rawMessage)?.[1];
  // What an rpc is annotated with besides is for its service to ask for.
  const { organization, user, support, mustHold } = rights;
  return (
    permission === undefined ||
    ([...organization, ...user, ...support].includes(permission) && !mustHold.includes(permission))
  );
}

/** @returns what went otherwise than foreseen; undefined when nothing did */
async function surprise(person: Person, transport: Transport, rights: ExpectedRights): Promise<string | undefined> {
  const method = methodNamed.get(rights.rpc) as DescMethod;
  const request = create(method.input);
  const names = person.names !== undefined && named(rights, method.input, request, person.names);
  const refusal = await refusalOf(transport, method, request);
  const expected = foreseen(person, rights, names);
  const code = refusal && Code[refusal.code];
  const answer = refusal === undefined ? 'let through' : `${code}: ${refusal.rawMessage}`;
  const message = (foresaw: string) => `${rights.rpc}: ${answer}; foreseen: ${foresaw}`;
  if (!isServed(rights)) {
    const known =
      refusal?.code === Code.Unimplemented || (person.unknown === true && refusal?.code === Code.Unauthenticated);
    return known ? undefined : message('Unimplemented');
  }
  if (expected === undefined) return letThrough(rights, refusal) ? undefined : message('let through');
  const { texts } = expected;
  const as = refusal?.code === expected.code && texts.some((text) => refusal.rawMessage.includes(text));
  return as ? undefined : message(`${Code[expected.code]}: ${texts.join(' or ')}`);
}

/** What somebody does to themselves comes last: the end of a visit, of roles that are tried out, of the account. */
const inOrder = expectedRights.toSorted((a, b) => rank(a) - rank(b));
function rank({ rpc, effect }: ExpectedRights): number {
  if (rpc.endsWith('.DeleteCurrentUser')) return 3;
  if (/\.(OverrideRoles|RestoreRoles|Override|Restore|EndVisit|AllowChanges)$/.test(rpc)) return 2;
  return effect === 'own' ? 1 : 0;
}

const kinds = [
  'nobody',
  'a newcomer',
  'a member who is viewer',
  'a member who is operator',
  'a member who is developer',
  'a member who is installer',
  'a member who is administrator',
  'a member of two roles',
  'an administrator who tries out viewer',
  'a viewer who tries out administrator',
  'the administrator of a parent organization',
  'the administrator of a child organization',
  'the administrator of another tenant',
  'a suspended member',
  'a member whom a rule bars',
  'a viewer below where a rule bars them',
  'support staff whom a rule bars, elsewhere a viewer',
  'support staff who only read',
  'support staff who may change things',
  'a PERSONAL token of support staff',
  'a token with nothing',
  'a token with two permissions',
  'a token with a role',
  'a token with everything',
  'a token that names another tenant',
  'a token of a suspended member',
  'a token with everything of support staff',
  'a token limited in impersonation',
  'a PERSONAL token of somebody who tries out viewer',
  'an expired token',
  'a token of a deleted account',
];

describe('every rpc lets through whom the contract lets through, and says what others lack', () => {
  it.each(kinds)('%s', async (who) => {
    const person = people.find((item) => item.who === who);
    if (person === undefined) throw new Error(`There is nobody who is ${who}.`);
    const transport = transportFor(t.app, person.bearer);
    const surprises: string[] = [];
    for (const rights of inOrder) {
      const found = await surprise(person, transport, rights);
      if (found !== undefined) surprises.push(found);
    }
    expect(surprises).toEqual([]);
  });

  it('is asked by everybody there is', () => expect(people.map(({ who }) => who)).toEqual(kinds));

  it('and nothing more than what it takes, and nothing less, of a token', async () => {
    const surprises: string[] = [];
    let asked = 0;
    for (const rights of expectedRights.filter(isServed)) {
      for (const person of await tokensAround(t, rights.rpc, rights.mustHold)) {
        asked++;
        const found = await surprise(person, transportFor(t.app, person.bearer), rights);
        if (found !== undefined) surprises.push(`${person.who}: ${found}`);
      }
    }
    expect(surprises).toEqual([]);
    expect(asked).toBeGreaterThan(250);
  });
});
