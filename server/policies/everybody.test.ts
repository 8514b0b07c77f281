import { create, type DescMessage, type DescMethod, type Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { Code, type ConnectError, type Transport } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationPaths } from '../session/named-organization.ts';
import { refusalOf, startTestServer, type TestServer, transportFor } from '../testing.ts';
import { effectOf } from './effects.ts';
import { lacking, policyOf, rpcName } from './policy.ts';
import { everybody, type Person } from './testing-people.ts';
import { methods } from './testing.ts';

let t: TestServer;
let people: Person[];
beforeAll(async () => {
  t = await startTestServer();
  people = await everybody(t);
});
afterAll(() => t.close());

/** Names the organization in an otherwise empty request. @returns false when it has no place for it */
function named(schema: DescMessage, request: Message, [name, ...rest]: string[], organization: string): boolean {
  const field = schema.fields.find((each) => each.name === name);
  const reflected = reflect(schema, request);
  if (field?.fieldKind === 'message') {
    const inner = reflected.get(field);
    const set = named(field.message, inner.message, rest, organization);
    if (set) reflected.set(field, inner);
    return set;
  }
  if (field?.fieldKind !== 'scalar') return false;
  reflected.set(field, organization);
  return true;
}

/** The refusal that the policy table and the rules of acting for others foresee; undefined when none. */
function foreseen(person: Person, method: DescMethod, names: boolean): string | undefined {
  const policy = policyOf(method);
  if (policy.audience === 'everyone') return undefined;
  if (person.unknown) return 'unauthenticated';
  if (names && person.outOfReach) return `There is no organization "${person.names}" that you have access to.`;
  const where = policy.audience === 'caller' ? undefined : names ? person.names : person.home;
  if (policy.audience === 'organization' && where === undefined) {
    return 'You are not a member of any organization yet: join one first.';
  }
  if (names && person.onlyReads && effectOf(method, create(method.input)) === 'change')
    return 'this visit may only read';
  const lacks = lacking(policy, (permission) => person.holds.has(permission));
  const place = where === undefined ? '' : ` in organization "${where}"`;
  return lacks && `This needs the permission ${lacks}${place}, which you do not hold.`;
}

/** What else may come of an empty request is the service's business; a refusal of that kind is not. */
const gates = /^There is no organization|not a member of any organization|this visit may only read/;

function byPolicy(method: DescMethod, refusal: ConnectError | undefined): boolean {
  if (refusal === undefined) return false;
  const policy = policyOf(method);
  const listed: readonly string[] = [...policy.organization, ...policy.user, ...policy.support];
  const permission = /^This needs the permission (\w+)/.exec(refusal.rawMessage)?.[1];
  return refusal.code === Code.Unauthenticated || gates.test(refusal.rawMessage) || listed.includes(permission ?? '');
}

/** What somebody does to themselves comes last: the end of a visit, of roles that are tried out, of the account. */
const inOrder = methods.toSorted((one, other) => rank(one) - rank(other));
function rank(method: DescMethod): number {
  if (method.name === 'DeleteCurrentUser') return 2;
  return effectOf(method) === 'own' ? 1 : 0;
}

/** @returns what went otherwise than the table says; undefined when nothing did */
async function surprise(person: Person, transport: Transport, method: DescMethod): Promise<string | undefined> {
  const request = create(method.input);
  const { audience } = policyOf(method);
  const path = organizationPaths(method)[0] ?? [];
  const scoped = audience === 'organization' || audience === 'caller-in-organization';
  const names = scoped && person.names !== undefined && named(method.input, request, path, person.names);
  const refusal = await refusalOf(transport, method, request);
  if (refusal?.code === Code.Unimplemented) return undefined;
  const expected = foreseen(person, method, names);
  const said = refusal ? `${Code[refusal.code]}: ${refusal.rawMessage}` : 'let through';
  const as =
    expected === undefined
      ? !byPolicy(method, refusal) && refusal?.code !== Code.Internal
      : expected === 'unauthenticated'
        ? refusal?.code === Code.Unauthenticated
        : refusal?.code === Code.PermissionDenied && refusal.rawMessage.includes(expected);
  return as ? undefined : `${rpcName(method)}: ${said}; foreseen: ${expected ?? 'let through'}`;
}

const kinds = [
  'nobody',
  'a newcomer',
  'a member who is viewer',
  'a member who is operator',
  'a member who is developer',
  'a member who is installer',
  'a member who is administrator',
  'the administrator of a parent organization',
  'the administrator of another organization',
  'a suspended member',
  'support staff who only read',
  'support staff who may change things',
  'a token with nothing',
  'a token with two permissions',
  'a token limited in impersonation',
  'an expired token',
];

describe('every rpc lets through whom the policy table lets through, and says what others lack', () => {
  it.each(kinds)('%s', async (who) => {
    const person = people.find((each) => each.who === who);
    if (person === undefined) throw new Error(`There is nobody who is ${who}.`);
    const transport = transportFor(t.app, person.bearer);
    const surprises: string[] = [];
    for (const method of inOrder) {
      const one = await surprise(person, transport, method);
      if (one !== undefined) surprises.push(one);
    }
    expect(surprises).toEqual([]);
  });

  it('is asked by everybody there is', () => expect(people.map(({ who }) => who)).toEqual(kinds));
});
