import type { RoleIdentifier } from '#server/policies/roles.ts';

/** What kind of person somebody in the demo stands for; tests and the sign-in page name them by it. */
export type PersonKind = 'operator' | 'viewer' | 'developer' | 'administrator' | 'support' | 'newcomer';

/** Somebody who can sign in to the demo, and whose password is no secret. */
export interface DemoPerson {
  kind: PersonKind;
  /** The identity provider's identifier of the account. */
  id: string;
  email: string;
  name: string;
  password: string;
  memberships: readonly { organization: string; roles: readonly RoleIdentifier[] }[];
  /** Must be one of the memberships, or below one. */
  defaultOrganization: string | undefined;
}

/** The organization of the demo's fleet. */
export const demoOrganization = 'northwind';
/** The organization that runs the installation, where support staff are members. */
export const operatorOrganization = 'quarterdeck';

const password = 'Quarterdeck-demo-1';

function member(kind: 'operator' | 'viewer' | 'developer' | 'administrator', name: string): DemoPerson {
  return {
    kind,
    id: `demo-${kind}`,
    email: `${kind}@northwind.example`,
    name,
    password,
    memberships: [{ organization: demoOrganization, roles: [kind] }],
    defaultOrganization: demoOrganization,
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
    password,
    memberships: [{ organization: operatorOrganization, roles: ['support'] }],
    defaultOrganization: operatorOrganization,
  },
  {
    kind: 'newcomer',
    id: 'demo-newcomer',
    email: 'newcomer@example.com',
    name: 'Finn Larsen',
    password,
    memberships: [],
    defaultOrganization: undefined,
  },
];
