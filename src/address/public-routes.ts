import type { Route } from '#src/auth/guard.ts';

/** The guard's rule for a screen outside the console. */
type Rule = Pick<Route, 'needsAuth' | 'isExempt' | 'step' | 'permission' | 'challenge'> & {
  /** True if the code in an emailed link replaces sign-in. A signed-in user then completes no step on the screen. */
  readonly byCode?: true;
};

const FOR_VISITORS = { needsAuth: false, isExempt: false } as const;
/** Stays accessible to signed-in users (spec 2: "Exempt when signed in"). */
const FOR_EVERYONE = { needsAuth: false, isExempt: true } as const;
const FOR_MEMBERS = { needsAuth: true, isExempt: true } as const;
const FOR_NEWCOMERS = { ...FOR_MEMBERS, step: 'organization' } as const;

const screens: Readonly<Record<string, Rule>> = {
  '/login': { ...FOR_VISITORS, permission: 'identity' },
  '/login/token': { ...FOR_VISITORS, permission: 'token' },
  '/login/create': { ...FOR_VISITORS, permission: 'password' },
  '/login/forgot-password': { ...FOR_VISITORS, permission: 'password' },
  '/login/reset-password': { ...FOR_MEMBERS, step: 'password', byCode: true },
  '/login/email-verification': { ...FOR_MEMBERS, step: 'verification', byCode: true },
  '/login/mfa': { ...FOR_EVERYONE, challenge: true },
  '/login/mfa/enroll': { ...FOR_MEMBERS, step: 'factor' },
  '/login/terms-and-conditions': { ...FOR_MEMBERS, step: 'terms' },
  '/login/support': FOR_MEMBERS,
  '/organization': FOR_NEWCOMERS,
  '/organization/requests': FOR_NEWCOMERS,
  '/organization/join': FOR_NEWCOMERS,
  '/organization/invites': FOR_NEWCOMERS,
  '/organization/create': FOR_NEWCOMERS,
  '/error': FOR_VISITORS,
};

const acceptsCode = (rule: Rule, code: string | undefined): boolean => rule.byCode === true && code !== undefined;

/** Returns the rule for a path. Undefined for the screens of the console. `code` comes from an emailed link. */
export function ruleOutsideConsole(path: string, code: string | undefined): Rule | undefined {
  const rule = screens[path];
  return rule && acceptsCode(rule, code) ? FOR_EVERYONE : rule;
}
