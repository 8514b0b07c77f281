// @vitest-environment node
import { describe, expect, test } from 'vitest';

import { needsUser, guard, type Config, type CurrentUser, type Route, type Session, type User } from './guard.ts';

// One row for each sentence of 'Navigation guard' in spec 2, and for each redirect in 'Main app'. The titles quote the
// spec.

const routeAt = (path: string, overrides: Partial<Route> = {}): Route => ({
  path,
  search: {},
  text: path,
  needsAuth: true,
  isExempt: false,
  screen: { path, features: [] },
  ...overrides,
});
/** A screen of the console, with a query. */
const DEVICES = routeAt('/devices', {
  search: { filter: 'pump' },
  text: '/devices?filter=pump',
  screen: rule('/devices', 'VIEW_DEVICES'),
});
const TAGS = { path: '/settings/tags', search: { tab: 'x' }, text: '/settings/tags?tab=x' };
const DASHBOARD = routeAt('/dashboard', { screen: undefined });
const ROOT = routeAt('/', { screen: undefined });

function rule(path: string, ability?: string, features: readonly string[] = []): Route['screen'] {
  return { path, ability, features };
}

/** Screens before the console. */
const publicRouteAt = (path: string, overrides: Partial<Route> = {}): Route =>
  routeAt(path, { needsAuth: false, screen: undefined, ...overrides });
const LOGIN = publicRouteAt('/login', { permission: 'identity' });
const TOKEN_LOGIN = publicRouteAt('/login/token', { permission: 'token' });
const CREATE = publicRouteAt('/login/create', { permission: 'password' });
const FORGOT = publicRouteAt('/login/forgot-password', { permission: 'password' });
const ERROR = publicRouteAt('/error');
const VERIFICATION = routeAt('/login/email-verification', { isExempt: true, step: 'verification' });
const RESET = routeAt('/login/reset-password', { isExempt: true, step: 'password' });
const RESET_BY_LINK = publicRouteAt('/login/reset-password', { isExempt: true, search: { oobCode: 'c' } });
const CHALLENGE = publicRouteAt('/login/mfa', { isExempt: true, challenge: true });
const ENROLL = routeAt('/login/mfa/enroll', { isExempt: true, step: 'factor' });
const TERMS = routeAt('/login/terms-and-conditions', { isExempt: true, step: 'terms' });
const SUPPORT = routeAt('/login/support', { isExempt: true });
const organizationScreen = (path: string): Route =>
  routeAt(path, { isExempt: true, step: 'organization', screen: undefined });
const [REQUESTS, JOIN, INVITES, NEW] = ['requests', 'join', 'invites', 'create'].map((value) =>
  organizationScreen(`/organization/${value}`),
) as [Route, Route, Route, Route];

const nobody: Session = { status: 'signed-out' };
const token: Session = { status: 'signed-in', method: 'token' };
const restored: Session = {
  status: 'signed-in',
  method: 'identity',
  emailVerified: true,
  factors: 0,
  skippedFactor: false,
};
const byPassword: Session = { ...restored, arrival: 'password' };
const created: Session = { ...restored, arrival: 'created' };
const byGoogle: Session = { ...restored, arrival: 'google' };
const unverified: Session = { ...created, emailVerified: false };
const withFactor: Session = { ...byPassword, factors: 1 };
const skipped: Session = { ...byPassword, skippedFactor: true };

const member: CurrentUser = {
  acceptedTac: true,
  passwordResetRecommended: false,
  organization: 'northwind',
  features: new Set(['PROCESS_POINTS']),
  abilities: new Set(['VIEW_DEVICES']),
  defaultScreen: '/dashboard',
  screens: ['/devices', '/settings/tags', '/user/profile'],
};
const withDashboard: CurrentUser = { ...member, screens: ['/dashboard', ...member.screens] };
const withDefaultScreen: CurrentUser = { ...withDashboard, defaultScreen: '/settings/tags' };
const staff: CurrentUser = {
  ...withDashboard,
  startScreen: { path: '/settings/tags', search: { filter: 'type:well' } },
};
const newcomer: CurrentUser = { ...member, acceptedTac: false, organization: '', passwordResetRecommended: true };
const withoutOrganization: CurrentUser = { ...member, organization: '' };

const allMethods: Config = { passwordAuth: true, tokenAuth: true, googleAuth: true };
const noPassword: Config = { passwordAuth: false, tokenAuth: true, googleAuth: false };
const noMethod: Config = { passwordAuth: false, tokenAuth: false, googleAuth: false };

type Person = Session | readonly [Session, User];
type Expected = 'shown' | { to: string; search?: Route['search']; effect?: string };
type Row = readonly [title: string, route: Route, person: Person, expected: Expected, config?: Config];

const to = (path: string, search: Route['search'] = {}, extra: object = {}): Expected => ({
  to: path,
  search,
  ...extra,
});

const exemptRows: readonly Row[] = [
  [
    'Routes needing no authentication redirect signed-in users to the dashboard',
    LOGIN,
    [restored, withDashboard],
    to('/dashboard'),
  ],
  ['… the token login', TOKEN_LOGIN, [token, withDashboard], to('/dashboard')],
  ['… creating an account', CREATE, [restored, withDashboard], to('/dashboard')],
  ['… a forgotten password', FORGOT, [restored, withDashboard], to('/dashboard')],
  ['… the error page', ERROR, [restored, withDashboard], to('/dashboard')],
  ['Exempt when signed in: email verification', VERIFICATION, restored, 'shown'],
  ['Exempt when signed in: reset password', RESET, restored, 'shown'],
  ['Exempt when signed in: reset password, by an emailed link', RESET_BY_LINK, unverified, 'shown'],
  ['Exempt when signed in: MFA', CHALLENGE, restored, 'shown'],
  ['Exempt when signed in: MFA, enrolling', ENROLL, restored, 'shown'],
  ['Exempt when signed in: terms', TERMS, restored, 'shown'],
  ['Exempt when signed in: organization request', REQUESTS, restored, 'shown'],
  ['Exempt when signed in: invites', INVITES, restored, 'shown'],
  ['Exempt when signed in: join', JOIN, restored, 'shown'],
  ['Exempt when signed in: create', NEW, restored, 'shown'],
  ['/login/support: requires auth', SUPPORT, restored, 'shown'],
  ['… and nothing else', SUPPORT, unverified, 'shown'],
];

const returnToDevices = { redirect: '/devices?filter=pump' };
const newUserRows: readonly Row[] = [
  [
    'A signed-in user with unverified email and no local token goes to email verification',
    DEVICES,
    unverified,
    to('/login/email-verification', returnToDevices),
  ],
  ['… even from the sign-in screen', LOGIN, unverified, to('/login/email-verification')],
  ['… and stays there', VERIFICATION, unverified, 'shown'],
  ['… even from any later step', RESET, unverified, to('/login/email-verification')],
  ['… but not with a local token', DEVICES, token, 'shown'],
  ['… even with an unverified email', DEVICES, { ...token, emailVerified: false }, 'shown'],
  [
    'After password login: if the current user has passwordResetRecommended, go to reset password',
    DEVICES,
    [withFactor, { ...member, passwordResetRecommended: true }],
    to('/login/reset-password', returnToDevices),
  ],
  [
    'After account creation: if the current user has passwordResetRecommended, go to reset password',
    DEVICES,
    [created, { ...member, passwordResetRecommended: true }],
    to('/login/reset-password', returnToDevices),
  ],
  ['… not in a restored session', DEVICES, [restored, { ...member, passwordResetRecommended: true }], 'shown'],
  ['… not after a Google sign-in', DEVICES, [byGoogle, { ...member, passwordResetRecommended: true }], 'shown'],
  [
    '… else if the user has zero enrolled MFA factors and has not chosen to skip enrollment, go to MFA enrollment',
    DEVICES,
    byPassword,
    to('/login/mfa/enroll', returnToDevices),
  ],
  ['… the same after account creation', DEVICES, created, to('/login/mfa/enroll', returnToDevices)],
  ['… not with a factor', DEVICES, withFactor, 'shown'],
  ['… not when they chose to skip (remembered per user)', DEVICES, skipped, 'shown'],
  ['… not after a Google sign-in', DEVICES, byGoogle, 'shown'],
  [
    'Otherwise the current user is fetched: terms not accepted goes to terms',
    DEVICES,
    [restored, { ...member, acceptedTac: false }],
    to('/login/terms-and-conditions', returnToDevices),
  ],
  [
    '… with a local token too',
    DEVICES,
    [token, { ...member, acceptedTac: false }],
    to('/login/terms-and-conditions', returnToDevices),
  ],
  [
    '… no organization goes to organizations request',
    DEVICES,
    [restored, withoutOrganization],
    to('/organization/requests', returnToDevices),
  ],
  [
    '… from the sign-in form',
    { ...LOGIN, destination: TAGS },
    [restored, withoutOrganization],
    to('/organization/requests', { redirect: TAGS.text }),
  ],
  [
    'Flow order for a new user: email verification',
    DEVICES,
    [unverified, newcomer],
    to('/login/email-verification', returnToDevices),
  ],
  ['… optional password reset', VERIFICATION, [unverified, newcomer], 'shown'],
  ['… optional password reset', DEVICES, [created, newcomer], to('/login/reset-password', returnToDevices)],
  ['… optional MFA enrollment', ENROLL, [created, newcomer], to('/login/reset-password')],
  [
    '… optional MFA enrollment',
    DEVICES,
    [created, { ...newcomer, passwordResetRecommended: false }],
    to('/login/mfa/enroll', returnToDevices),
  ],
  ['… terms acceptance', TERMS, [created, { ...newcomer, passwordResetRecommended: false }], to('/login/mfa/enroll')],
  [
    '… terms acceptance',
    DEVICES,
    [skipped, { ...newcomer, passwordResetRecommended: false }],
    to('/login/terms-and-conditions', returnToDevices),
  ],
  [
    '… organization join or request',
    REQUESTS,
    [restored, newcomer],
    to('/login/terms-and-conditions', { redirect: '/organization/requests' }),
  ],
  [
    '… organization join or request',
    DEVICES,
    [restored, { ...newcomer, acceptedTac: true }],
    to('/organization/requests', returnToDevices),
  ],
  ['… on any screen of the area', JOIN, [restored, withoutOrganization], 'shown'],
  ['… then the app', DEVICES, [skipped, member], 'shown'],
];

const arrivalRows: readonly Row[] = [
  [
    'arriving from login with an earlier intended destination goes there',
    { ...LOGIN, destination: TAGS },
    withFactor,
    to('/settings/tags', TAGS.search),
  ],
  [
    '… in its organization',
    { ...LOGIN, destination: TAGS, organization: 'acme' },
    withFactor,
    to('/settings/tags', { ...TAGS.search, organization: 'acme' }),
  ],
  [
    '… (except root to dashboard)',
    { ...LOGIN, destination: { path: '/', search: {}, text: '/' } },
    [withFactor, withDashboard],
    to('/dashboard'),
  ],
  [
    'if redirected from dashboard to dashboard and the configured default screen differs, go to the default screen',
    { ...LOGIN, destination: DASHBOARD },
    [withFactor, withDefaultScreen],
    to('/settings/tags'),
  ],
  ['… without any destination', LOGIN, [withFactor, withDefaultScreen], to('/settings/tags')],
  ['… from the root', ROOT, [restored, withDefaultScreen], to('/settings/tags')],
  [
    '… without a dashboard',
    LOGIN,
    [withFactor, { ...withDefaultScreen, screens: member.screens }],
    to('/settings/tags'),
  ],
  ['(missionControlSettings.defaultScreen, default /dashboard)', LOGIN, [withFactor, withDashboard], to('/dashboard')],
  [
    '… a forbidden default screen is ignored',
    LOGIN,
    [withFactor, { ...withDashboard, defaultScreen: '/transfers/inbound' }],
    to('/dashboard'),
  ],
  [
    '… the dashboard comes before the first screen of the console',
    LOGIN,
    [withFactor, { ...member, defaultScreen: '/transfers/inbound', screens: ['/devices', '/dashboard'] }],
    to('/dashboard'),
  ],
  [
    '… support staff go to their start screen',
    LOGIN,
    [withFactor, staff],
    { to: '/settings/tags', search: { filter: 'type:well' } },
  ],
  [
    '… support staff with a default screen go there',
    ROOT,
    [restored, { ...staff, defaultScreen: '/devices' }],
    to('/devices'),
  ],
  ['… the user pages, without access to any screen', LOGIN, [withFactor, { ...member, screens: [] }], to('/user')],
  [
    '… the dashboard by its address is shown',
    { ...DASHBOARD, screen: rule('/dashboard') },
    [restored, withDefaultScreen],
    'shown',
  ],
  ['… another screen by its address is shown', DEVICES, [restored, withDefaultScreen], 'shown'],
];

const failureRows: readonly Row[] = [
  [
    'Fetch failure with code 7: organization impersonation and organization are cleared and the user goes to /',
    { ...DEVICES, organization: 'acme' },
    [restored, { failure: 7 }],
    to('/', {}, { effect: 'leave-organization' }),
  ],
  [
    '… without an organization to clear: sign out',
    DEVICES,
    [restored, { failure: 7 }],
    to('/login', returnToDevices, { effect: 'sign-out' }),
  ],
  [
    'Any other failure: sign out and go to /login',
    DEVICES,
    [restored, { failure: 13 }],
    to('/login', returnToDevices, { effect: 'sign-out' }),
  ],
  ['… with a local token', DEVICES, [token, { failure: 16 }], to('/login', returnToDevices, { effect: 'sign-out' })],
  [
    'On load failure impersonation is cleared',
    { ...ROOT, organization: 'acme' },
    [restored, { failure: 7 }],
    to('/', {}, { effect: 'leave-organization' }),
  ],
  [
    'or the user is signed out and sent to /login',
    { ...DEVICES, organization: 'acme' },
    [token, { failure: 2 }],
    to('/login', { ...returnToDevices, organization: 'acme' }, { effect: 'sign-out' }),
  ],
];

const signedOutRows: readonly Row[] = [
  [
    'Unauthenticated on a protected route: to login if password auth is permitted',
    DEVICES,
    nobody,
    to('/login', returnToDevices),
  ],
  [
    '… or if Google sign-in is permitted',
    DEVICES,
    nobody,
    to('/login', returnToDevices),
    { ...noPassword, googleAuth: true },
  ],
  ['… or without Google sign-in', DEVICES, nobody, to('/login', returnToDevices), { ...allMethods, googleAuth: false }],
  ['… else token login if token auth is permitted', DEVICES, nobody, to('/login/token', returnToDevices), noPassword],
  ['… else the error page', DEVICES, nobody, to('/error', returnToDevices), noMethod],
  ['The intended path is passed as a redirect query', JOIN, nobody, to('/login', { redirect: '/organization/join' })],
  ['… (omitted when it is the dashboard)', DASHBOARD, nobody, to('/login')],
  ['… or the root', ROOT, nobody, to('/login')],
  [
    '… but kept with a query',
    { ...DASHBOARD, search: { tab: 'a' }, text: '/dashboard?tab=a' },
    nobody,
    to('/login', { redirect: '/dashboard?tab=a' }),
  ],
  [
    '… together with an organization query value',
    { ...DEVICES, organization: 'acme' },
    nobody,
    to('/login', { ...returnToDevices, organization: 'acme' }),
  ],
  [
    '… including for the dashboard',
    { ...DASHBOARD, organization: 'acme' },
    nobody,
    to('/login', { organization: 'acme' }),
  ],
  ['… omitted for a screen of a sign-in step', TERMS, nobody, to('/login')],
  [
    '/login: sign-in (needs the password auth permission)',
    { ...LOGIN, destination: TAGS },
    nobody,
    to('/login/token', { redirect: TAGS.text }),
    noPassword,
  ],
  ['… with it', LOGIN, nobody, 'shown'],
  [
    '/login/token: token login (needs the token auth permission)',
    TOKEN_LOGIN,
    nobody,
    to('/login'),
    { ...allMethods, tokenAuth: false },
  ],
  ['… with it', TOKEN_LOGIN, nobody, 'shown', noPassword],
  [
    '/login/create needs the password auth permission',
    CREATE,
    nobody,
    to('/login'),
    { ...allMethods, passwordAuth: false },
  ],
  ['/login/forgot-password needs the password auth permission', FORGOT, nobody, to('/error'), noMethod],
  ['/error', ERROR, nobody, 'shown', noMethod],
  ['/login/support: requires auth', SUPPORT, nobody, to('/login', { redirect: '/login/support' })],
  ['Organization area (all require auth)', REQUESTS, nobody, to('/login', { redirect: '/organization/requests' })],
  ['/login/mfa without a sign-in waiting for a factor', CHALLENGE, nobody, to('/login')],
  ['… and with one', CHALLENGE, { status: 'signed-out', waitsForFactor: true }, 'shown'],
  ['/login/reset-password by an emailed link', RESET_BY_LINK, nobody, 'shown'],
  [
    '… or by a provider link to /login',
    { ...LOGIN, action: { mode: 'resetPassword', code: 'c' } },
    nobody,
    to('/login/reset-password', { oobCode: 'c' }),
  ],
  [
    '/login/email-verification by a provider link to /login',
    { ...LOGIN, action: { mode: 'verifyEmail', code: 'c' } },
    unverified,
    to('/login/email-verification', { oobCode: 'c' }),
  ],
  ['… links with another mode are ignored', { ...LOGIN, action: { mode: 'recoverEmail', code: 'c' } }, nobody, 'shown'],
];

const item = {
  list: '/developer-tools/webhooks',
  isWellFormed: true,
  exists: true,
  target: { to: '/developer-tools/webhooks', search: { panel: ['webhook/12'] } },
};
const edit = routeAt('/developer-tools/webhooks/12/update', { screen: rule('/developer-tools/webhooks') });
const consoleRows: readonly Row[] = [
  [
    'an item with a screen of its own is shown there',
    { ...edit, item: { list: '/developer-tools/webhooks', isWellFormed: true, exists: true } },
    restored,
    'shown',
  ],
  [
    'an organization without the required features sees the reason in target (spec: goes to the dashboard)',
    { ...DEVICES, screen: rule('/devices/old', undefined, ['PROCESS_POINTS', 'MAP']) },
    restored,
    'shown',
  ],
  [
    '… all listed features must be present',
    { ...DEVICES, screen: rule('/devices', undefined, ['PROCESS_POINTS']) },
    restored,
    'shown',
  ],
  ['/ redirects to /dashboard', ROOT, [restored, withDashboard], to('/dashboard')],
  [
    '… with the organization',
    { ...ROOT, organization: 'acme' },
    [restored, withDashboard],
    to('/dashboard', { organization: 'acme' }),
  ],
  ['… without a dashboard, to the first accessible screen', DASHBOARD, restored, to('/devices')],
  ['… with its query', { ...DASHBOARD, search: { tab: 'a' } }, restored, to('/devices', { tab: 'a' })],
  [
    'a missing permission is explained in target (spec: denied goes elsewhere)',
    { ...DEVICES, screen: rule('/devices/list', 'VIEW_DEVICES') },
    [restored, { ...member, abilities: new Set() }],
    'shown',
  ],
  [
    '/settings: redirects to tags',
    routeAt('/settings', { screen: rule('/settings/tags') }),
    restored,
    to('/settings/tags'),
  ],
  [
    'the last two are also aliased under /settings/general and /settings/email-preferences',
    routeAt('/settings/general', { search: { tab: 'x' }, screen: rule('/user/general') }),
    restored,
    to('/user/general', { tab: 'x' }),
  ],
  [
    'an unknown path is reported in target (spec: redirect to /)',
    routeAt('/nothing', { search: { tab: 'x' }, screen: undefined, organization: 'acme' }),
    restored,
    'shown',
  ],
  [
    'webhooks/{id}/update',
    { ...edit, item, organization: 'acme' },
    restored,
    to('/developer-tools/webhooks', { panel: ['webhook/12'], organization: 'acme' }),
  ],
  [
    '(guard: numeric id',
    { ...edit, item: { ...item, isWellFormed: false } },
    restored,
    to('/developer-tools/webhooks'),
  ],
  [
    '… and the webhook exists)',
    { ...edit, item: { ...item, exists: false } },
    restored,
    to('/developer-tools/webhooks'),
  ],
  [
    '{id}/assign (Device Assignment',
    routeAt('/process-points/p1/assign', {
      screen: rule('/process-points'),
      item: { list: '/process-points', isWellFormed: true, exists: true },
    }),
    restored,
    'shown',
  ],
  [
    'guard: the process point must exist, else back to list)',
    routeAt('/process-points/p1/assign', {
      screen: rule('/process-points'),
      item: { ...item, list: '/process-points', exists: false },
    }),
    restored,
    to('/process-points'),
  ],
  [
    'Each edit route checks the item exists, else returns to its list',
    routeAt('/settings/tags/7/update', {
      screen: rule('/settings/tags'),
      item: { ...item, list: '/settings/tags', exists: false },
    }),
    restored,
    to('/settings/tags'),
  ],
  [
    '… after the permission check',
    { ...edit, screen: rule('/developer-tools/webhooks', 'PUBLISHERS'), item },
    restored,
    'shown',
  ],
];

describe.each([
  ['screens before the console', exemptRows],
  ['a new user', newUserRows],
  ['arriving', arrivalRows],
  ['the current user cannot be fetched', failureRows],
  ['nobody is signed in', signedOutRows],
  ['the console', consoleRows],
])('%s', (_, rows) => {
  test.each(rows.map((row) => [row[0], row] as const))('%s', (__, [, route, person, expected, config = allMethods]) => {
    const [session, user]: readonly [Session, User] = 'status' in person ? [person, member] : person;
    const decision = guard(route, session, needsUser(route, session) ? user : undefined, config);
    expect(decision).toStrictEqual(expected === 'shown' ? { proceed: true } : { proceed: false, ...expected });
  });
});

test('fetches the current user only if the decision depends on them', () => {
  const needsUserOn = (session: Session) =>
    [DEVICES, LOGIN, SUPPORT, VERIFICATION, RESET, TERMS, REQUESTS].map((route) => needsUser(route, session));
  expect(needsUserOn(restored)).toEqual([true, true, false, false, true, true, true]);
  expect(needsUserOn(token)).toEqual(needsUserOn(restored));
  for (const session of [nobody, unverified]) expect(new Set(needsUserOn(session))).toEqual(new Set([false]));
});
