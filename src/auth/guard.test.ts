// @vitest-environment node
import { describe, expect, test } from 'vitest';

import { needsUser, type Session } from './guard.ts';
import {
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
  VERIFICATION,
  RESET,
  RESET_BY_LINK,
  CHALLENGE,
  ENROLL,
  TERMS,
  SUPPORT,
  REQUESTS,
  JOIN,
  INVITES,
  NEW,
  nobody,
  token,
  restoredSession,
  byPassword,
  created,
  byGoogle,
  unverified,
  withFactor,
  skipped,
  member,
  withDashboard,
  withDefaultScreen,
  staff,
  newcomer,
  withoutOrganization,
  type Row,
  to,
  returnToDevices,
  testRows,
} from './testkit/guard-rows.ts';

const exemptRows: readonly Row[] = [
  [
    'Routes needing no authentication redirect signed-in users to the dashboard',
    LOGIN,
    [restoredSession, withDashboard],
    to('/dashboard'),
  ],
  ['… the token login', TOKEN_LOGIN, [token, withDashboard], to('/dashboard')],
  ['… creating an account', CREATE, [restoredSession, withDashboard], to('/dashboard')],
  ['… a forgotten password', FORGOT, [restoredSession, withDashboard], to('/dashboard')],
  ['… the error page', ERROR, [restoredSession, withDashboard], to('/dashboard')],
  ['Exempt when signed in: email verification', VERIFICATION, restoredSession, 'shown'],
  ['Exempt when signed in: reset password', RESET, restoredSession, 'shown'],
  ['Exempt when signed in: reset password, by an emailed link', RESET_BY_LINK, unverified, 'shown'],
  ['Exempt when signed in: MFA', CHALLENGE, restoredSession, 'shown'],
  ['Exempt when signed in: MFA, enrolling', ENROLL, restoredSession, 'shown'],
  ['Exempt when signed in: terms', TERMS, restoredSession, 'shown'],
  ['Exempt when signed in: organization request', REQUESTS, restoredSession, 'shown'],
  ['Exempt when signed in: invites', INVITES, restoredSession, 'shown'],
  ['Exempt when signed in: join', JOIN, restoredSession, 'shown'],
  ['Exempt when signed in: create', NEW, restoredSession, 'shown'],
  ['/login/support: requires auth', SUPPORT, restoredSession, 'shown'],
  ['… and nothing else', SUPPORT, unverified, 'shown'],
];

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
  ['… not in a restored session', DEVICES, [restoredSession, { ...member, passwordResetRecommended: true }], 'shown'],
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
    [restoredSession, { ...member, acceptedTac: false }],
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
    [restoredSession, withoutOrganization],
    to('/organization/requests', returnToDevices),
  ],
  [
    '… from the sign-in form',
    { ...LOGIN, destination: TAGS },
    [restoredSession, withoutOrganization],
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
    [restoredSession, newcomer],
    to('/login/terms-and-conditions', { redirect: '/organization/requests' }),
  ],
  [
    '… organization join or request',
    DEVICES,
    [restoredSession, { ...newcomer, acceptedTac: true }],
    to('/organization/requests', returnToDevices),
  ],
  ['… on any screen of the area', JOIN, [restoredSession, withoutOrganization], 'shown'],
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
  ['… from the root', ROOT, [restoredSession, withDefaultScreen], to('/settings/tags')],
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
    [restoredSession, { ...staff, defaultScreen: '/devices' }],
    to('/devices'),
  ],
  ['… the user pages, without access to any screen', LOGIN, [withFactor, { ...member, screens: [] }], to('/user')],
  [
    '… the dashboard by its address is shown',
    { ...DASHBOARD, screen: rule('/dashboard') },
    [restoredSession, withDefaultScreen],
    'shown',
  ],
  ['… another screen by its address is shown', DEVICES, [restoredSession, withDefaultScreen], 'shown'],
];

const failureRows: readonly Row[] = [
  [
    'Fetch failure with code 7: organization impersonation and organization are cleared and the user goes to /',
    { ...DEVICES, organization: 'acme' },
    [restoredSession, { failure: 7 }],
    to('/', {}, { effect: 'leave-organization' }),
  ],
  [
    '… without an organization to clear: sign out',
    DEVICES,
    [restoredSession, { failure: 7 }],
    to('/login', returnToDevices, { effect: 'sign-out' }),
  ],
  [
    'Any other failure: sign out and go to /login',
    DEVICES,
    [restoredSession, { failure: 13 }],
    to('/login', returnToDevices, { effect: 'sign-out' }),
  ],
  ['… with a local token', DEVICES, [token, { failure: 16 }], to('/login', returnToDevices, { effect: 'sign-out' })],
  [
    'On load failure impersonation is cleared',
    { ...ROOT, organization: 'acme' },
    [restoredSession, { failure: 7 }],
    to('/', {}, { effect: 'leave-organization' }),
  ],
  [
    'or the user is signed out and sent to /login',
    { ...DEVICES, organization: 'acme' },
    [token, { failure: 2 }],
    to('/login', { ...returnToDevices, organization: 'acme' }, { effect: 'sign-out' }),
  ],
];

describe.each([
  ['screens before the console', exemptRows],
  ['a new user', newUserRows],
  ['arriving', arrivalRows],
  ["the current user can't be fetched", failureRows],
])('%s', (_, rows) => {
  testRows(rows);
});

test('fetches the current user only if the decision depends on them', () => {
  const needsUserOn = (session: Session) =>
    [DEVICES, LOGIN, SUPPORT, VERIFICATION, RESET, TERMS, REQUESTS].map((route) => needsUser(route, session));
  expect(needsUserOn(restoredSession)).toEqual([true, true, false, false, true, true, true]);
  expect(needsUserOn(token)).toEqual(needsUserOn(restoredSession));
  for (const session of [nobody, unverified]) expect(new Set(needsUserOn(session))).toEqual(new Set([false]));
});
