// @vitest-environment node
import { describe } from 'vitest';

import {
  routeAt,
  DEVICES,
  TAGS,
  DASHBOARD,
  ROOT,
  rule,
  LOGIN,
  TOKEN_LOGIN,
  CREATE,
  FORGOT,
  ERROR,
  RESET_BY_LINK,
  CHALLENGE,
  TERMS,
  SUPPORT,
  REQUESTS,
  JOIN,
  nobody,
  restoredSession,
  unverified,
  member,
  withDashboard,
  allMethods,
  noPassword,
  noMethod,
  type Row,
  to,
  returnToDevices,
  testRows,
} from './testkit/guard-rows.ts';

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
    restoredSession,
    'shown',
  ],
  [
    'an organization without the required features sees the reason in target (spec: goes to the dashboard)',
    { ...DEVICES, screen: rule('/devices/old', undefined, ['PROCESS_POINTS', 'MAP']) },
    restoredSession,
    'shown',
  ],
  [
    '… all listed features must be present',
    { ...DEVICES, screen: rule('/devices', undefined, ['PROCESS_POINTS']) },
    restoredSession,
    'shown',
  ],
  ['/ redirects to /dashboard', ROOT, [restoredSession, withDashboard], to('/dashboard')],
  [
    '… with the organization',
    { ...ROOT, organization: 'acme' },
    [restoredSession, withDashboard],
    to('/dashboard', { organization: 'acme' }),
  ],
  ['… without a dashboard, to the first accessible screen', DASHBOARD, restoredSession, to('/devices')],
  ['… with its query', { ...DASHBOARD, search: { tab: 'a' } }, restoredSession, to('/devices', { tab: 'a' })],
  [
    'a missing permission is explained in target (spec: denied goes elsewhere)',
    { ...DEVICES, screen: rule('/devices/list', 'VIEW_DEVICES') },
    [restoredSession, { ...member, abilities: new Set() }],
    'shown',
  ],
  [
    '/settings: redirects to tags',
    routeAt('/settings', { screen: rule('/settings/tags') }),
    restoredSession,
    to('/settings/tags'),
  ],
  [
    'the last two are also aliased under /settings/general and /settings/email-preferences',
    routeAt('/settings/general', { search: { tab: 'x' }, screen: rule('/user/general') }),
    restoredSession,
    to('/user/general', { tab: 'x' }),
  ],
  [
    'an unknown path is reported in target (spec: redirect to /)',
    routeAt('/nothing', { search: { tab: 'x' }, screen: undefined, organization: 'acme' }),
    restoredSession,
    'shown',
  ],
  [
    'webhooks/{id}/update',
    { ...edit, item, organization: 'acme' },
    restoredSession,
    to('/developer-tools/webhooks', { panel: ['webhook/12'], organization: 'acme' }),
  ],
  [
    '(guard: numeric id',
    { ...edit, item: { ...item, isWellFormed: false } },
    restoredSession,
    to('/developer-tools/webhooks'),
  ],
  [
    '… and the webhook exists)',
    { ...edit, item: { ...item, exists: false } },
    restoredSession,
    to('/developer-tools/webhooks'),
  ],
  [
    '{id}/assign (Device Assignment',
    routeAt('/process-points/p1/assign', {
      screen: rule('/process-points'),
      item: { list: '/process-points', isWellFormed: true, exists: true },
    }),
    restoredSession,
    'shown',
  ],
  [
    'guard: the process point must exist, else back to list)',
    routeAt('/process-points/p1/assign', {
      screen: rule('/process-points'),
      item: { ...item, list: '/process-points', exists: false },
    }),
    restoredSession,
    to('/process-points'),
  ],
  [
    'Each edit route checks the item exists, else returns to its list',
    routeAt('/settings/tags/7/update', {
      screen: rule('/settings/tags'),
      item: { ...item, list: '/settings/tags', exists: false },
    }),
    restoredSession,
    to('/settings/tags'),
  ],
  [
    '… after the permission check',
    { ...edit, screen: rule('/developer-tools/webhooks', 'PUBLISHERS'), item },
    restoredSession,
    'shown',
  ],
];

describe.each([
  ['nobody is signed in', signedOutRows],
  ['the console', consoleRows],
])('%s', (_, rows) => {
  testRows(rows);
});
