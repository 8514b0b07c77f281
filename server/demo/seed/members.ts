import { type accessRequest, type invitation, INVITATION_VALID_FOR_MS } from '#server/db/schema/membership-request.ts';
import type { signIn, userActivity } from '#server/db/schema/sign-in.ts';
import type { appUser, membership } from '#server/db/schema/user.ts';
import type { RoleIdentifier } from '#server/policies/roles.ts';

import { DEMO_ORGANIZATION, demoPeople } from './people.ts';
import { type Random, createRandom } from './random.ts';

/** A demo user who can't sign in: the identity provider has no account for them. */
interface Colleague {
  readonly name: string;
  readonly organization: string;
  readonly roles: RoleIdentifier[];
  /** The number of days since their last activity; undefined if they have never signed in. */
  readonly lastSeenDaysAgo?: number;
  readonly suspended?: boolean;
}

const NORTH = 'northwind-north';
const PERMIAN = 'northwind-permian';

const colleagues: readonly Colleague[] = [
  { name: 'Gijs Bakker', organization: DEMO_ORGANIZATION, roles: ['administrator'], lastSeenDaysAgo: 0 },
  { name: 'Hanna Lindqvist', organization: DEMO_ORGANIZATION, roles: ['operator'], lastSeenDaysAgo: 1 },
  { name: 'Ibrahim Demir', organization: DEMO_ORGANIZATION, roles: ['operator', 'installer'], lastSeenDaysAgo: 2 },
  { name: 'Julia Mendes', organization: DEMO_ORGANIZATION, roles: ['viewer'], lastSeenDaysAgo: 9 },
  { name: 'Kofi Mensah', organization: DEMO_ORGANIZATION, roles: ['installer'], lastSeenDaysAgo: 3 },
  { name: 'Lena Vogel', organization: DEMO_ORGANIZATION, roles: ['installer'] },
  { name: 'Marc Dubois', organization: DEMO_ORGANIZATION, roles: ['developer'], lastSeenDaysAgo: 34, suspended: true },
  { name: 'Nadia Rahman', organization: NORTH, roles: ['administrator'], lastSeenDaysAgo: 1 },
  { name: 'Ole Hansen', organization: NORTH, roles: ['installer'], lastSeenDaysAgo: 0 },
  { name: 'Paula Reyes', organization: PERMIAN, roles: ['operator'], lastSeenDaysAgo: 4 },
  { name: 'Quinn Walker', organization: PERMIAN, roles: ['installer'], lastSeenDaysAgo: 6 },
  { name: 'Rosa Álvarez', organization: PERMIAN, roles: ['viewer'] },
];

/** People who have requested to join. */
const applicants = ['Stijn de Boer', 'Thandi Nkosi'];
const invitees: readonly { email: string; roles: RoleIdentifier[]; daysAgo: number }[] = [
  { email: 'ulrike.braun@northwind.example', roles: ['operator'], daysAgo: 2 },
  { email: 'victor.ionescu@fieldwork.example', roles: ['installer'], daysAgo: 11 },
  { email: 'wanda.kim@northwind.example', roles: ['viewer'], daysAgo: 26 },
];

const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
];
const actions = [
  'CurrentUserService.CurrentUser',
  'ModemService.List',
  'ModemService.Get',
  'EventService.History',
  'TagService.List',
  'DeviceService.Update',
];
const DAY_MS = 86_400_000;
const ACTIVE_DAYS = 14;

interface Rows {
  readonly users: (typeof appUser.$inferInsert)[];
  readonly memberships: (typeof membership.$inferInsert)[];
  readonly requests: (typeof accessRequest.$inferInsert)[];
  readonly invitations: (typeof invitation.$inferInsert)[];
  readonly signIns: (typeof signIn.$inferInsert)[];
  readonly activity: (typeof userActivity.$inferInsert)[];
}

/** Turns 'Rosa Álvarez' into 'rosa.alvarez'. */
const accountName = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.');

/**
 * Generates the users that the demo's administrator manages, and their recent activity, so the screens about users
 * aren't empty.
 */
export function seedColleagues(now: Date): Rows {
  const random = createRandom('colleagues');
  const timeDaysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const userRow = (name: string, defaultOrganization: string | null) => ({
    id: `demo-${accountName(name)}`,
    email: `${accountName(name)}@northwind.example`,
    name,
    emailVerified: true,
    defaultOrganization,
    acceptedTacAt: now,
    createdAt: timeDaysAgo(200),
  });
  const invitedBy = demoPeople.find(({ kind }) => kind === 'administrator')?.id ?? '';
  const activePeople = [
    ...colleagues.map(({ name, organization, lastSeenDaysAgo: days }) => ({
      id: userRow(name, null).id,
      organization,
      days,
    })),
    // People who can sign in also have past activity, as if the installation were older.
    ...demoPeople.flatMap(({ id, memberships: [home] }) =>
      home === undefined ? [] : [{ id, organization: home.organization, days: 1 }],
    ),
  ].flatMap(({ days, ...person }) => (days === undefined ? [] : [{ ...person, days }]));
  return {
    users: [
      ...colleagues.map(({ name, organization }) => userRow(name, organization)),
      ...applicants.map((name) => userRow(name, null)),
    ],
    memberships: colleagues.map(({ name, organization, roles, suspended }) => ({
      organization,
      userId: userRow(name, null).id,
      roles,
      suspendedAt: suspended === true ? timeDaysAgo(30) : null,
      createdAt: timeDaysAgo(random.integer(20, 190)),
    })),
    requests: applicants.map((name, index) => ({
      organization: DEMO_ORGANIZATION,
      userId: userRow(name, null).id,
      createdAt: timeDaysAgo(1 + index * 3),
    })),
    invitations: invitees.map(({ email, roles, daysAgo }) => ({
      organization: DEMO_ORGANIZATION,
      email,
      roles,
      invitedBy,
      createdAt: timeDaysAgo(daysAgo),
      expiresAt: new Date(timeDaysAgo(daysAgo).getTime() + INVITATION_VALID_FOR_MS),
    })),
    signIns: activePeople.flatMap(({ id, days }) => randomSignIns(id, days, timeDaysAgo, random)),
    activity: activePeople.flatMap(({ id, organization, days }) =>
      randomActivity(id, organization, days, timeDaysAgo, random),
    ),
  };
}

function randomSignIns(userId: string, days: number, ago: (days: number) => Date, random: Random): Rows['signIns'] {
  return Array.from({ length: random.integer(1, 2) }, (_, index) => {
    const lastSeen = days + index * random.between(1, 5);
    return {
      userId,
      id: `demo-${index}`,
      signedInAt: ago(lastSeen + random.between(1, 20)),
      lastSeenAt: ago(lastSeen),
      client: 'quarterdeck-console 0.261.0+0.1.0',
      userAgent: random.pick(browsers),
    };
  });
}

/** Generates activity on most working days of the two weeks before the user was last seen. */
function randomActivity(
  userId: string,
  organization: string,
  days: number,
  ago: (days: number) => Date,
  random: Random,
): Rows['activity'] {
  return Array.from({ length: ACTIVE_DAYS }, (_, index) => ago(days + index)).flatMap((time) => {
    const isWeekend = time.getUTCDay() % 6 === 0;
    if (isWeekend || random.chance(0.3)) return [];
    return random
      .shuffle(actions)
      .slice(0, random.integer(2, actions.length))
      .map((action) => ({
        organization,
        userId,
        date: time.toISOString().slice(0, 10),
        action,
        client: random.chance(0.85) ? 'quarterdeck-console' : 'quarterdeck-cli',
        requests: random.integer(1, 60),
      }));
  });
}
