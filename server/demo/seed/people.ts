import type { RoleIdentifier } from '#server/policies/roles.ts';

/** The kind of user that a demo person represents. Tests and the sign-in page refer to people by their kind. */
export type PersonKind = 'operator' | 'viewer' | 'developer' | 'administrator' | 'support' | 'newcomer';

/** A person who can sign in to the demo with a public password. */
export interface DemoPerson {
  readonly kind: PersonKind;
  /** The account's identifier at the identity provider. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly memberships: readonly { organization: string; roles: readonly RoleIdentifier[] }[];
  /** An organization that the person is a member of, or a descendant of one. */
  readonly defaultOrganization: string | undefined;
}

/** The organization of the demo's fleet. */
export const DEMO_ORGANIZATION = 'northwind';
/** The organization that runs the installation, where support staff are members. */
export const OPERATOR_ORGANIZATION = 'quarterdeck';

const PASSWORD = 'Quarterdeck-demo-1';

function member(kind: 'operator' | 'viewer' | 'developer' | 'administrator', name: string): DemoPerson {
  return {
    kind,
    id: `demo-${kind}`,
    email: `${kind}@northwind.example`,
    name,
    password: PASSWORD,
    memberships: [{ organization: DEMO_ORGANIZATION, roles: [kind] }],
    defaultOrganization: DEMO_ORGANIZATION,
  };
}

export const demoPeople: readonly DemoPerson[] = [
  member('operator', 'Anna Vermeer'),
  member('viewer', 'Bram de Wit'),
  member('developer', 'Chidi Okafor'),
  member('administrator', 'Dana Kowalski'),
  {
    kind: 'support',
    id: 'demo-support',
    email: 'support@quarterdeck.example',
    name: 'Elif Yilmaz',
    password: PASSWORD,
    memberships: [{ organization: OPERATOR_ORGANIZATION, roles: ['support'] }],
    defaultOrganization: OPERATOR_ORGANIZATION,
  },
  {
    kind: 'newcomer',
    id: 'demo-newcomer',
    email: 'newcomer@example.com',
    name: 'Finn Larsen',
    password: PASSWORD,
    memberships: [],
    defaultOrganization: undefined,
  },
];
