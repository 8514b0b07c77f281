import { expect, test } from 'vitest';

import {
  needsUser,
  guard,
  type Config,
  type CurrentUser,
  type Route,
  type Session,
  type User,
} from '#src/auth/guard.ts';

// One row for each sentence of 'Navigation guard' in spec 2, and for each redirect in 'Main app'. The titles quote the
// spec.

export const routeAt = (path: string, overrides: Partial<Route> = {}): Route => ({
  path,
  search: {},
  text: path,
  needsAuth: true,
  isExempt: false,
  screen: { path, features: [] },
  ...overrides,
});
/** A screen of the console, with a query. */
export const DEVICES = routeAt('/devices', {
  search: { filter: 'pump' },
  text: '/devices?filter=pump',
  screen: rule('/devices', 'VIEW_DEVICES'),
});
export const TAGS = { path: '/settings/tags', search: { tab: 'x' }, text: '/settings/tags?tab=x' };
export const DASHBOARD = routeAt('/dashboard', { screen: undefined });
export const ROOT = routeAt('/', { screen: undefined });

export function rule(path: string, ability?: string, features: readonly string[] = []): Route['screen'] {
  return { path, ability, features };
}

/** Screens before the console. */
const publicRouteAt = (path: string, overrides: Partial<Route> = {}): Route =>
  routeAt(path, { needsAuth: false, screen: undefined, ...overrides });
export const LOGIN = publicRouteAt('/login', { permission: 'identity' });
export const TOKEN_LOGIN = publicRouteAt('/login/token', { permission: 'token' });
export const CREATE = publicRouteAt('/login/create', { permission: 'password' });
export const FORGOT = publicRouteAt('/login/forgot-password', { permission: 'password' });
export const ERROR = publicRouteAt('/error');
export const VERIFICATION = routeAt('/login/email-verification', { isExempt: true, step: 'verification' });
export const RESET = routeAt('/login/reset-password', { isExempt: true, step: 'password' });
export const RESET_BY_LINK = publicRouteAt('/login/reset-password', { isExempt: true, search: { oobCode: 'c' } });
export const CHALLENGE = publicRouteAt('/login/mfa', { isExempt: true, challenge: true });
export const ENROLL = routeAt('/login/mfa/enroll', { isExempt: true, step: 'factor' });
export const TERMS = routeAt('/login/terms-and-conditions', { isExempt: true, step: 'terms' });
export const SUPPORT = routeAt('/login/support', { isExempt: true });
const organizationScreen = (path: string): Route =>
  routeAt(path, { isExempt: true, step: 'organization', screen: undefined });
export const [REQUESTS, JOIN, INVITES, NEW] = ['requests', 'join', 'invites', 'create'].map((value) =>
  organizationScreen(`/organization/${value}`),
) as [Route, Route, Route, Route];

export const nobody: Session = { status: 'signed-out' };
export const token = { status: 'signed-in', method: 'token' } as const satisfies Session;
export const restoredSession: Session = {
  status: 'signed-in',
  method: 'identity',
  emailVerified: true,
  factors: 0,
  skippedFactor: false,
};
export const byPassword: Session = { ...restoredSession, arrival: 'password' };
export const created: Session = { ...restoredSession, arrival: 'created' };
export const byGoogle: Session = { ...restoredSession, arrival: 'google' };
export const unverified: Session = { ...created, emailVerified: false };
export const withFactor: Session = { ...byPassword, factors: 1 };
export const skipped: Session = { ...byPassword, skippedFactor: true };

export const member: CurrentUser = {
  acceptedTac: true,
  passwordResetRecommended: false,
  organization: 'northwind',
  features: new Set(['PROCESS_POINTS']),
  abilities: new Set(['VIEW_DEVICES']),
  defaultScreen: '/dashboard',
  screens: ['/devices', '/settings/tags', '/user/profile'],
};
export const withDashboard: CurrentUser = { ...member, screens: ['/dashboard', ...member.screens] };
export const withDefaultScreen: CurrentUser = { ...withDashboard, defaultScreen: '/settings/tags' };
export const staff: CurrentUser = {
  ...withDashboard,
  startScreen: { path: '/settings/tags', search: { filter: 'type:well' } },
};
export const newcomer: CurrentUser = {
  ...member,
  acceptedTac: false,
  organization: '',
  passwordResetRecommended: true,
};
export const withoutOrganization: CurrentUser = { ...member, organization: '' };

export const allMethods: Config = { passwordAuth: true, tokenAuth: true, googleAuth: true };
export const noPassword: Config = { passwordAuth: false, tokenAuth: true, googleAuth: false };
export const noMethod: Config = { passwordAuth: false, tokenAuth: false, googleAuth: false };

type Person = Session | readonly [Session, User];
type Expected = 'shown' | { to: string; search?: Route['search']; effect?: string };
export type Row = readonly [title: string, route: Route, person: Person, expected: Expected, config?: Config];

export const to = (path: string, search: Route['search'] = {}, extra: object = {}): Expected => ({
  to: path,
  search,
  ...extra,
});

export const returnToDevices = { redirect: '/devices?filter=pump' };

/** Declares a test for each row. */
export function testRows(rows: readonly Row[]): void {
  test.each(rows.map((row) => [row[0], row] as const))('%s', (_, [, route, person, expected, config = allMethods]) => {
    const [session, user]: readonly [Session, User] = 'status' in person ? [person, member] : person;
    const decision = guard(route, session, needsUser(route, session) ? user : undefined, config);
    expect(decision).toStrictEqual(expected === 'shown' ? { proceed: true } : { proceed: false, ...expected });
  });
}
