// @vitest-environment node
import { describe, expect, it, test } from 'vitest';

import { asksForUser, guard, type Config, type Known, type Route, type Session, type User } from './guard.ts';

// One row for each sentence of spec 2, 'Navigation guard', and for those of 'Main app' that send somebody elsewhere.
// The titles quote them.

const at = (path: string, more: Partial<Route> = {}): Route => ({
  path,
  search: {},
  text: path,
  needsAuth: true,
  exempt: false,
  screen: { path, features: [] },
  ...more,
});
/** A screen of the console with a query. */
const DEVICES = at('/devices', {
  search: { filter: 'pump' },
  text: '/devices?filter=pump',
  screen: rule('/devices', 'VIEW_DEVICES'),
});
const TAGS = { path: '/settings/tags', search: { tab: 'x' }, text: '/settings/tags?tab=x' };
const DASHBOARD = at('/dashboard', { screen: undefined });
const ROOT = at('/', { screen: undefined });

function rule(path: string, ability?: string, features: readonly string[] = []): Route['screen'] {
  return { path, ability, features };
}

/** Screens before the console. */
const open = (path: string, more: Partial<Route> = {}): Route =>
  at(path, { needsAuth: false, screen: undefined, ...more });
const LOGIN = open('/login', { permission: 'identity' });
const TOKEN_LOGIN = open('/login/token', { permission: 'token' });
const CREATE = open('/login/create', { permission: 'password' });
const FORGOT = open('/login/forgot-password', { permission: 'password' });
const ERROR = open('/error');
const VERIFICATION = at('/login/email-verification', { exempt: true, step: 'verification' });
const RESET = at('/login/reset-password', { exempt: true, step: 'password' });
const RESET_BY_LINK = open('/login/reset-password', { exempt: true, search: { oobCode: 'c' } });
const CHALLENGE = open('/login/mfa', { exempt: true, challenge: true });
const ENROLL = at('/login/mfa/enroll', { exempt: true, step: 'factor' });
const TERMS = at('/login/terms-and-conditions', { exempt: true, step: 'terms' });
const SUPPORT = at('/login/support', { exempt: true });
const joining = (path: string): Route => at(path, { exempt: true, step: 'organization', screen: undefined });
const [REQUESTS, JOIN, INVITES, NEW] = ['requests', 'join', 'invites', 'create'].map((value) =>
  joining(`/organization/${value}`),
) as [Route, Route, Route, Route];

const nobody: Session = { status: 'signed-out' };
const token: Session = { status: 'signed-in', by: 'token' };
const restored: Session = {
  status: 'signed-in',
  by: 'identity',
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

const member: Known = {
  acceptedTac: true,
  passwordResetRecommended: false,
  organization: 'northwind',
  features: new Set(['PROCESS_POINTS']),
  abilities: new Set(['VIEW_DEVICES']),
  defaultScreen: '/dashboard',
  screens: ['/devices', '/settings/tags', '/user/profile'],
};
const withDashboard: Known = { ...member, screens: ['/dashboard', ...member.screens] };
const ownScreen: Known = { ...withDashboard, defaultScreen: '/settings/tags' };
const staff: Known = {
  ...withDashboard,
  begins: { path: '/settings/tags', search: { filter: 'type:well' } },
};
const newcomer: Known = { ...member, acceptedTac: false, organization: '', passwordResetRecommended: true };
const homeless: Known = { ...member, organization: '' };

const every: Config = { passwordAuth: true, tokenAuth: true, googleAuth: true };
const noPassword: Config = { passwordAuth: false, tokenAuth: true, googleAuth: false };
const noWay: Config = { passwordAuth: false, tokenAuth: false, googleAuth: false };

type Person = Session | readonly [Session, User];
type Expected = 'shown' | { to: string; search?: Route['search']; also?: string };
type Row = readonly [says: string, route: Route, person: Person, expected: Expected, config?: Config];

const to = (path: string, search: Route['search'] = {}, more: object = {}): Expected => ({ to: path, search, ...more });

const exempt: readonly Row[] = [
  [
    'Routes needing no authentication redirect signed-in users to the dashboard',
    LOGIN,
    [restored, withDashboard],
    to('/dashboard'),
  ],
  ['… of whichever kind', TOKEN_LOGIN, [token, withDashboard], to('/dashboard')],
  ['… of whichever kind', CREATE, [restored, withDashboard], to('/dashboard')],
  ['… of whichever kind', FORGOT, [restored, withDashboard], to('/dashboard')],
  ['… of whichever kind', ERROR, [restored, withDashboard], to('/dashboard')],
  ['Exempt when signed in: email verification', VERIFICATION, restored, 'shown'],
  ['Exempt when signed in: reset password', RESET, restored, 'shown'],
  ['Exempt when signed in: reset password, by the link of a mail', RESET_BY_LINK, unverified, 'shown'],
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

const keep = { redirect: '/devices?filter=pump' };
const newUser: readonly Row[] = [
  [
    'A signed-in user with unverified email and no local token goes to email verification',
    DEVICES,
    unverified,
    to('/login/email-verification', keep),
  ],
  ['… from a screen before the console too', LOGIN, unverified, to('/login/email-verification')],
  ['… and stays there', VERIFICATION, unverified, 'shown'],
  ['… also from every later step', RESET, unverified, to('/login/email-verification')],
  ['… but not with a local token', DEVICES, token, 'shown'],
  ['… whatever is known of the address', DEVICES, { ...token, emailVerified: false }, 'shown'],
  [
    'After password login: if the current user has passwordResetRecommended, go to reset password',
    DEVICES,
    [withFactor, { ...member, passwordResetRecommended: true }],
    to('/login/reset-password', keep),
  ],
  [
    'After account creation: if the current user has passwordResetRecommended, go to reset password',
    DEVICES,
    [created, { ...member, passwordResetRecommended: true }],
    to('/login/reset-password', keep),
  ],
  ['… not in a session that goes on', DEVICES, [restored, { ...member, passwordResetRecommended: true }], 'shown'],
  ['… not after a Google sign-in', DEVICES, [byGoogle, { ...member, passwordResetRecommended: true }], 'shown'],
  [
    '… else if the user has zero enrolled MFA factors and has not chosen to skip enrollment, go to MFA enrollment',
    DEVICES,
    byPassword,
    to('/login/mfa/enroll', keep),
  ],
  ['… the same after account creation', DEVICES, created, to('/login/mfa/enroll', keep)],
  ['… not with a factor', DEVICES, withFactor, 'shown'],
  ['… not when they chose to skip (remembered per user)', DEVICES, skipped, 'shown'],
  ['… not after a Google sign-in', DEVICES, byGoogle, 'shown'],
  [
    'Otherwise the current user is fetched: terms not accepted goes to terms',
    DEVICES,
    [restored, { ...member, acceptedTac: false }],
    to('/login/terms-and-conditions', keep),
  ],
  [
    '… with a local token too',
    DEVICES,
    [token, { ...member, acceptedTac: false }],
    to('/login/terms-and-conditions', keep),
  ],
  [
    '… no organization goes to organizations request',
    DEVICES,
    [restored, homeless],
    to('/organization/requests', keep),
  ],
  [
    '… from the sign-in form',
    { ...LOGIN, destination: TAGS },
    [restored, homeless],
    to('/organization/requests', { redirect: TAGS.text }),
  ],
  [
    'Flow order for a new user: email verification',
    DEVICES,
    [unverified, newcomer],
    to('/login/email-verification', keep),
  ],
  ['… optional password reset', VERIFICATION, [unverified, newcomer], 'shown'],
  ['… optional password reset', DEVICES, [created, newcomer], to('/login/reset-password', keep)],
  ['… optional MFA enrollment', ENROLL, [created, newcomer], to('/login/reset-password')],
  [
    '… optional MFA enrollment',
    DEVICES,
    [created, { ...newcomer, passwordResetRecommended: false }],
    to('/login/mfa/enroll', keep),
  ],
  ['… terms acceptance', TERMS, [created, { ...newcomer, passwordResetRecommended: false }], to('/login/mfa/enroll')],
  [
    '… terms acceptance',
    DEVICES,
    [skipped, { ...newcomer, passwordResetRecommended: false }],
    to('/login/terms-and-conditions', keep),
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
    to('/organization/requests', keep),
  ],
  ['… whichever of the area', JOIN, [restored, homeless], 'shown'],
  ['… then the app', DEVICES, [skipped, member], 'shown'],
];

const arriving: readonly Row[] = [
  [
    'arriving from login with an earlier intended destination goes there',
    { ...LOGIN, destination: TAGS },
    withFactor,
    to('/settings/tags', TAGS.search),
  ],
  [
    '… for the organization it was for',
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
    [withFactor, ownScreen],
    to('/settings/tags'),
  ],
  ['… without any destination', LOGIN, [withFactor, ownScreen], to('/settings/tags')],
  ['… from the root', ROOT, [restored, ownScreen], to('/settings/tags')],
  [
    '… or devices, where there is no dashboard',
    LOGIN,
    [withFactor, { ...ownScreen, screens: member.screens }],
    to('/settings/tags'),
  ],
  ['(missionControlSettings.defaultScreen, default /dashboard)', LOGIN, [withFactor, withDashboard], to('/dashboard')],
  [
    '… a default screen that they may not open is none',
    LOGIN,
    [withFactor, { ...withDashboard, defaultScreen: '/transfers/inbound' }],
    to('/dashboard'),
  ],
  [
    '… the dashboard is preferred to whatever the console lists before it',
    LOGIN,
    [withFactor, { ...member, defaultScreen: '/transfers/inbound', screens: ['/devices', '/dashboard'] }],
    to('/dashboard'),
  ],
  [
    '… support staff begin where their work does',
    LOGIN,
    [withFactor, staff],
    { to: '/settings/tags', search: { filter: 'type:well' } },
  ],
  [
    '… support staff too, unless they chose a screen',
    ROOT,
    [restored, { ...staff, defaultScreen: '/devices' }],
    to('/devices'),
  ],
  ['… their own pages, where they may open no screen', LOGIN, [withFactor, { ...member, screens: [] }], to('/user')],
  [
    '… somebody who named the dashboard stays there',
    { ...DASHBOARD, screen: rule('/dashboard') },
    [restored, ownScreen],
    'shown',
  ],
  ['… somebody who named the devices stays there', DEVICES, [restored, ownScreen], 'shown'],
];

const failing: readonly Row[] = [
  [
    'Fetch failure with code 7: organization impersonation and organization are cleared and the user goes to /',
    { ...DEVICES, organization: 'acme' },
    [restored, { failure: 7 }],
    to('/', {}, { also: 'leave-organization' }),
  ],
  [
    '… with nothing to clear, / would fail alike: sign out',
    DEVICES,
    [restored, { failure: 7 }],
    to('/login', keep, { also: 'sign-out' }),
  ],
  [
    'Any other failure: sign out and go to /login',
    DEVICES,
    [restored, { failure: 13 }],
    to('/login', keep, { also: 'sign-out' }),
  ],
  ['… with a local token', DEVICES, [token, { failure: 16 }], to('/login', keep, { also: 'sign-out' })],
  [
    'On load failure impersonation is cleared',
    { ...ROOT, organization: 'acme' },
    [restored, { failure: 7 }],
    to('/', {}, { also: 'leave-organization' }),
  ],
  [
    'or the user is signed out and sent to /login',
    { ...DEVICES, organization: 'acme' },
    [token, { failure: 2 }],
    to('/login', { ...keep, organization: 'acme' }, { also: 'sign-out' }),
  ],
];

const visiting: readonly Row[] = [
  ['Unauthenticated on a protected route: to login if password auth is permitted', DEVICES, nobody, to('/login', keep)],
  [
    '… a Google account is asked for there as well',
    DEVICES,
    nobody,
    to('/login', keep),
    { ...noPassword, googleAuth: true },
  ],
  ['… and a password without one', DEVICES, nobody, to('/login', keep), { ...every, googleAuth: false }],
  ['… else token login if token auth is permitted', DEVICES, nobody, to('/login/token', keep), noPassword],
  ['… else the error page', DEVICES, nobody, to('/error', keep), noWay],
  ['The intended path is passed as a redirect query', JOIN, nobody, to('/login', { redirect: '/organization/join' })],
  ['… (omitted when it is the dashboard)', DASHBOARD, nobody, to('/login')],
  ['… or the root, which leads there', ROOT, nobody, to('/login')],
  [
    '… a query of the dashboard is kept',
    { ...DASHBOARD, search: { tab: 'a' }, text: '/dashboard?tab=a' },
    nobody,
    to('/login', { redirect: '/dashboard?tab=a' }),
  ],
  [
    '… together with an organization query value',
    { ...DEVICES, organization: 'acme' },
    nobody,
    to('/login', { ...keep, organization: 'acme' }),
  ],
  [
    '… also when it is the dashboard',
    { ...DASHBOARD, organization: 'acme' },
    nobody,
    to('/login', { organization: 'acme' }),
  ],
  ['… a screen of the way to the console is no destination', TERMS, nobody, to('/login')],
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
    { ...every, tokenAuth: false },
  ],
  ['… with it', TOKEN_LOGIN, nobody, 'shown', noPassword],
  ['/login/create makes a password', CREATE, nobody, to('/login'), { ...every, passwordAuth: false }],
  ['/login/forgot-password is about one', FORGOT, nobody, to('/error'), noWay],
  ['/error', ERROR, nobody, 'shown', noWay],
  ['/login/support: requires auth', SUPPORT, nobody, to('/login', { redirect: '/login/support' })],
  ['Organization area (all require auth)', REQUESTS, nobody, to('/login', { redirect: '/organization/requests' })],
  ['/login/mfa without a sign-in that waits for a factor', CHALLENGE, nobody, to('/login')],
  ['… and with one', CHALLENGE, { status: 'signed-out', waitsForFactor: true }, 'shown'],
  ['The link of a mail resets a password', RESET_BY_LINK, nobody, 'shown'],
  [
    '… also where the provider leads to /login',
    { ...LOGIN, action: { mode: 'resetPassword', code: 'c' } },
    nobody,
    to('/login/reset-password', { oobCode: 'c' }),
  ],
  [
    '… and verifies an address',
    { ...LOGIN, action: { mode: 'verifyEmail', code: 'c' } },
    unverified,
    to('/login/email-verification', { oobCode: 'c' }),
  ],
  ['… other purposes are none of ours', { ...LOGIN, action: { mode: 'recoverEmail', code: 'c' } }, nobody, 'shown'],
];

const item = {
  list: '/developer-tools/webhooks',
  wellFormed: true,
  exists: true,
  shown: { to: '/developer-tools/webhooks', search: { panel: ['webhook/12'] } },
};
const edit = at('/developer-tools/webhooks/12/update', { screen: rule('/developer-tools/webhooks') });
const inside: readonly Row[] = [
  [
    'an organization without the required features is told so in place (spec: goes to the dashboard)',
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
  ['… as long as there is no dashboard, to the first screen that they may open', DASHBOARD, restored, to('/devices')],
  ['… with its query', { ...DASHBOARD, search: { tab: 'a' } }, restored, to('/devices', { tab: 'a' })],
  [
    'what takes an ability that they lack is said in place (spec: denied goes elsewhere)',
    { ...DEVICES, screen: rule('/devices/list', 'VIEW_DEVICES') },
    [restored, { ...member, abilities: new Set() }],
    'shown',
  ],
  ['/settings: redirects to tags', at('/settings', { screen: rule('/settings/tags') }), restored, to('/settings/tags')],
  [
    'the last two are also aliased under /settings/general and /settings/email-preferences',
    at('/settings/general', { search: { tab: 'x' }, screen: rule('/user/general') }),
    restored,
    to('/user/general', { tab: 'x' }),
  ],
  [
    'unknown paths are said to be unknown in place (spec: redirect to /)',
    at('/nothing', { search: { tab: 'x' }, screen: undefined, organization: 'acme' }),
    restored,
    'shown',
  ],
  [
    'webhooks/{id}/update',
    { ...edit, item, organization: 'acme' },
    restored,
    to('/developer-tools/webhooks', { panel: ['webhook/12'], organization: 'acme' }),
  ],
  ['(guard: numeric id', { ...edit, item: { ...item, wellFormed: false } }, restored, to('/developer-tools/webhooks')],
  [
    '… and the webhook exists)',
    { ...edit, item: { ...item, exists: false } },
    restored,
    to('/developer-tools/webhooks'),
  ],
  [
    'Each edit route checks the item exists, else returns to its list',
    at('/settings/tags/7/update', {
      screen: rule('/settings/tags'),
      item: { ...item, list: '/settings/tags', exists: false },
    }),
    restored,
    to('/settings/tags'),
  ],
  [
    '… and first that they may see it',
    { ...edit, screen: rule('/developer-tools/webhooks', 'PUBLISHERS'), item },
    restored,
    'shown',
  ],
];

describe.each([
  ['screens before the console', exempt],
  ['a new user', newUser],
  ['arriving', arriving],
  ['the current user cannot be fetched', failing],
  ['nobody is signed in', visiting],
  ['the console', inside],
])('%s', (_, rows) => {
  it.each(rows.map((row) => [row[0], row] as const))('%s', (__, [, route, person, expected, config = every]) => {
    const [session, user]: readonly [Session, User] = 'status' in person ? [person, member] : person;
    const decision = guard(route, session, asksForUser(route, session) ? user : undefined, config);
    expect(decision).toStrictEqual(expected === 'shown' ? { proceed: true } : { proceed: false, ...expected });
  });
});

test('the current user is fetched only where the answer depends on them', () => {
  const asked = (session: Session) =>
    [DEVICES, LOGIN, SUPPORT, VERIFICATION, RESET, TERMS, REQUESTS].map((route) => asksForUser(route, session));
  expect(asked(restored)).toEqual([true, true, false, false, true, true, true]);
  expect(asked(token)).toEqual(asked(restored));
  for (const session of [nobody, unverified]) expect(new Set(asked(session))).toEqual(new Set([false]));
});
