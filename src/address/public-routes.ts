import type { Route } from '#src/auth/guard.ts';

/** The guard's rule for a screen outside the console. */
type Rule = Pick<Route, 'needsAuth' | 'exempt' | 'step' | 'permission' | 'challenge'> & {
  /** True if the code in an emailed link replaces sign-in; the screen then completes no step for a signed-in person. */
  readonly byCode?: true;
};

const visitors = { needsAuth: false, exempt: false } as const;
/** Stays accessible to a signed-in person (spec 2: "Exempt when signed in"). */
const open = { needsAuth: false, exempt: true } as const;
const members = { needsAuth: true, exempt: true } as const;
const newcomers = { ...members, step: 'organization' } as const;

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
  '/organization': newcomers,
  '/organization/requests': newcomers,
  '/organization/join': newcomers,
  '/organization/invites': newcomers,
  '/organization/create': newcomers,
  '/error': visitors,
};

const acceptsCode = (rule: Rule, code: string | undefined): boolean => rule.byCode === true && code !== undefined;

/** The rule of a path; undefined for the screens of the console. `code` comes from an emailed link. */
export function ruleOutsideConsole(path: string, code: string | undefined): Rule | undefined {
  const rule = screens[path];
  return rule && acceptsCode(rule, code) ? open : rule;
}
