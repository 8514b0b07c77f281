import type { Route } from '#src/auth/guard.ts';

/** What the guard has to know of a screen that is not of the console itself. */
type Rule = Pick<Route, 'needsAuth' | 'exempt' | 'step' | 'permission' | 'challenge'> & {
  /** Opened by the link of a mail, it needs no sign-in and settles nothing of the person who is signed in. */
  readonly byCode?: true;
};

const visitors = { needsAuth: false, exempt: false } as const;
/** Stays open to somebody who is signed in (spec 2: "Exempt when signed in"). */
const open = { needsAuth: false, exempt: true } as const;
const members = { needsAuth: true, exempt: true } as const;
const joining = { ...members, step: 'organization' } as const;

const screens: Readonly<Record<string, Rule>> = {
  '/login': { ...visitors, permission: 'identity' },
  '/login/token': { ...visitors, permission: 'token' },
  '/login/create': { ...visitors, permission: 'password' },
  '/login/forgot-password': { ...visitors, permission: 'password' },
  '/login/reset-password': { ...members, step: 'password', byCode: true },
  '/login/email-verification': { ...members, step: 'verification', byCode: true },
  '/login/mfa': { ...open, challenge: true },
  '/login/mfa/enroll': { ...members, step: 'factor' },
  '/login/terms-and-conditions': { ...members, step: 'terms' },
  '/login/support': members,
  '/organization': joining,
  '/organization/requests': joining,
  '/organization/join': joining,
  '/organization/invites': joining,
  '/organization/create': joining,
  '/error': visitors,
};

const isCodeOf = (rule: Rule, code: string | undefined): boolean => rule.byCode === true && code !== undefined;

/** The rule of a path; undefined for everything behind sign-in. `code` is that of a mail's link. */
export function ruleBefore(path: string, code: string | undefined): Rule | undefined {
  const rule = screens[path];
  return rule && isCodeOf(rule, code) ? open : rule;
}
