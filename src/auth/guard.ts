import type { Message } from '#commands/text/message.ts';

/**
 * The navigation guard (spec 2) is a pure function that decides whether to show a URL to the user, or where to redirect
 * them. The caller describes the screen at the URL.
 */

/** The steps for a new user before the console, in order (spec 2: flow order for a new user). */
export const steps = ['verification', 'password', 'factor', 'terms', 'organization'] as const;
export type Step = (typeof steps)[number];

const STEP_SCREENS: Readonly<Record<Step, string>> = {
  verification: '/login/email-verification',
  password: '/login/reset-password',
  factor: '/login/mfa/enroll',
  terms: '/login/terms-and-conditions',
  organization: '/organization/requests',
};

/** Parsed values of a query string. */
export type Query = Readonly<Record<string, unknown>>;

export interface Address {
  readonly path: string;
  /** The query, without `redirect` and `organization`. */
  readonly search: Query;
  /** Path and query as one string, without `organization`. Kept in `redirect`. */
  readonly text: string;
}

export interface Route extends Address {
  /** The organization in the URL. */
  readonly organization?: string | undefined;
  /** The destination before the redirect to this screen. It has been verified to be in this console. */
  readonly destination?: Address | undefined;
  readonly needsAuth: boolean;
  /** True if it stays accessible to signed-in users even though it comes before the console. */
  readonly isExempt: boolean;
  /** The step that this screen completes. */
  readonly step?: Step;
  /** The sign-in method of the screen. */
  readonly permission?: 'password' | 'token' | 'identity';
  /** Set if the screen completes a sign-in with a second factor. */
  readonly challenge?: true;
  /** The action of a link in an email from the identity provider. All such links share one URL. */
  readonly action?: { readonly mode: string; readonly code: string };
  /** The rule for a screen of the console. Undefined if the path is not one of its screens. */
  readonly screen?: ScreenRule | undefined;
  /** The item in the URL, after lookup. */
  readonly item?: ItemFact | undefined;
}

export interface ScreenRule {
  /** The screen's own path. The URL may have an alias instead. */
  readonly path: string;
  readonly ability?: string | undefined;
  readonly features: readonly string[];
}

/** The item in a URL. */
export interface ItemFact {
  /** The list it belongs to. */
  readonly list: string;
  /** False if the id should be numeric but isn't. */
  readonly isWellFormed: boolean;
  readonly exists: boolean;
  /** The message that the item doesn't exist, if the URL names one. */
  readonly missingMessage?: Message | undefined;
  /** The URL in the console that shows the item. Absent if the looked-up URL itself does. */
  readonly target?: RedirectTarget;
}

export interface RedirectTarget {
  readonly to: string;
  readonly search: Query;
}

export type Session =
  | { readonly status: 'signed-out'; readonly waitsForFactor?: boolean }
  | {
      readonly status: 'signed-in';
      readonly method: 'token' | 'identity';
      readonly emailVerified?: boolean;
      readonly factors?: number;
      readonly skippedFactor?: boolean;
      /** How the user has just signed in. Undefined for a resumed session. */
      readonly arrival?: 'password' | 'google' | 'created' | undefined;
    };

/** The current user, as seen from the current organization. */
export interface CurrentUser {
  readonly acceptedTac: boolean;
  readonly passwordResetRecommended: boolean;
  /** The current organization. Empty if there is none. */
  readonly organization: string;
  readonly features: ReadonlySet<string>;
  readonly abilities: ReadonlySet<string>;
  /** missionControlSettings.defaultScreen. */
  readonly defaultScreen: string;
  /** The start screen for users who haven't set one. Support staff start by choosing a customer. */
  readonly startScreen?: Pick<Address, 'path' | 'search'>;
  /** Paths of the screens they may open, in the order of the console. */
  readonly screens: readonly string[];
}

/** The current user, or the gRPC status of the failed request. */
export type User = CurrentUser | { readonly failure: number };

export interface Config {
  readonly passwordAuth: boolean;
  readonly tokenAuth: boolean;
  /** Sign-in with a Google account, on the same screen as the password. */
  readonly googleAuth: boolean;
}

export type Decision =
  | { readonly proceed: true }
  | (RedirectTarget & {
      readonly proceed: false;
      /** A side effect of the redirect. */
      readonly effect?: 'sign-out' | 'leave-organization';
    });

const DASHBOARD = '/dashboard';
const FALLBACK = '/user';
const PERMISSION_DENIED = 7;

const proceed: Decision = { proceed: true };
const redirectTo = (to: string, search: Query): Exclude<Decision, { proceed: true }> => ({
  proceed: false,
  to,
  search,
});

/**
 * True if the decision depends on the current user, who must then be loaded first. Never for an account with an
 * unverified email address.
 */
export function needsUser(route: Route, session: Session): boolean {
  if (session.status === 'signed-out' || isUnverified(session)) return false;
  return !route.isExempt || (route.step !== undefined && route.step !== 'verification');
}

/**
 * Decides whether to show a URL, or where to redirect. `user` is undefined if not needed ({@link needsUser}).
 */
export function guard(route: Route, session: Session, user: User | undefined, config: Config): Decision {
  if (route.action) {
    const screen = ACTIONS[route.action.mode];
    if (screen) return redirectTo(screen, { oobCode: route.action.code });
  }
  if (session.status === 'signed-out') return handleVisitor(route, session, config);
  if (user && 'failure' in user) return handleFailure(route, user.failure);
  const next = nextStep(session, user);
  if (next && !isOpen(route, next)) return redirectTo(STEP_SCREENS[next], returnQuery(route));
  if (route.isExempt || !user) return proceed;
  if (!route.needsAuth) return arrive(route, user);
  return handleScreen(route, user);
}

const ACTIONS: Readonly<Record<string, string | undefined>> = {
  resetPassword: STEP_SCREENS.password,
  verifyEmail: STEP_SCREENS.verification,
};

function handleVisitor(route: Route, { waitsForFactor }: { waitsForFactor?: boolean }, config: Config): Decision {
  const { passwordAuth: password, tokenAuth: token } = config;
  const allowedMethods = { password, token, identity: password || config.googleAuth };
  const entry = allowedMethods.identity ? '/login' : allowedMethods.token ? '/login/token' : '/error';
  if (route.needsAuth) return redirectTo(entry, returnQuery(route));
  if (route.permission && !allowedMethods[route.permission]) return redirectTo(entry, returnQuery(route));
  if (route.challenge && !waitsForFactor) return redirectTo(entry, returnQuery(route));
  return proceed;
}

function handleFailure(route: Route, failure: number): Decision {
  if (failure === PERMISSION_DENIED && route.organization) {
    return { proceed: false, to: '/', search: {}, effect: 'leave-organization' };
  }
  return { proceed: false, to: '/login', search: returnQuery(route), effect: 'sign-out' };
}

function isUnverified(session: Session & { status: 'signed-in' }): boolean {
  return session.method === 'identity' && session.emailVerified === false;
}

/** Returns the first step that is not complete yet. */
function nextStep(session: Session & { status: 'signed-in' }, user: CurrentUser | undefined): Step | undefined {
  if (isUnverified(session)) return 'verification';
  if (!user) return undefined;
  if (session.arrival === 'password' || session.arrival === 'created') {
    if (user.passwordResetRecommended) return 'password';
    if (session.factors === 0 && !session.skippedFactor) return 'factor';
  }
  if (!user.acceptedTac) return 'terms';
  return user.organization ? undefined : 'organization';
}

/**
 * True if a screen may be opened before the `next` step is complete, because it belongs to that step, to an earlier
 * one, or to none.
 */
function isOpen({ isExempt, step }: Route, next: Step): boolean {
  return isExempt && (step === undefined || steps.indexOf(step) <= steps.indexOf(next));
}

/** Returns the query for a screen before the console, with the destination to return to and the organization. */
function returnQuery(route: Route): Query {
  const { organization, destination } = route;
  const intended = isIntended(route) ? route : destination;
  const redirect = intended && !isDefaultUrl(intended) ? intended.text : undefined;
  return { ...(redirect ? { redirect } : {}), ...(organization ? { organization } : {}) };
}

/** True if the user chose this screen. The screens of steps are opened by the guard instead. */
function isIntended({ needsAuth, step }: Route): boolean {
  return needsAuth && (step === undefined || step === 'organization');
}

/** True for the default URLs, which are not worth keeping. */
function isDefaultUrl({ path, search }: Address): boolean {
  return (path === '/' || path === DASHBOARD) && Object.keys(search).length === 0;
}

/** Continues from a screen before the console to the destination. */
function arrive({ destination, organization }: Route, user: CurrentUser): Decision {
  const search = { ...destination?.search, ...(organization ? { organization } : {}) };
  const isSpecific = destination && destination.path !== '/' && destination.path !== DASHBOARD;
  if (isSpecific) return redirectTo(destination.path, search);
  const start = startAddress(user);
  return redirectTo(start.path, { ...start.search, ...search });
}

/**
 * Returns the user's start screen: their own choice, or else `startScreen`, the dashboard, or the first screen they may
 * open.
 */
function startAddress({ defaultScreen, startScreen, screens }: CurrentUser): Pick<Address, 'path' | 'search'> {
  const preferredScreen =
    defaultScreen !== DASHBOARD && screens.includes(defaultScreen) ? { path: defaultScreen, search: {} } : startScreen;
  if (preferredScreen && screens.includes(preferredScreen.path)) return preferredScreen;
  return { path: screens.includes(DASHBOARD) ? DASHBOARD : (screens[0] ?? FALLBACK), search: {} };
}

/** Reports a forbidden or missing screen at its own URL, because a redirect would not explain anything. */
function handleScreen({ path, search, organization, screen, item }: Route, user: CurrentUser): Decision {
  const organizationQuery = organization ? { organization } : {};
  const query = { ...search, ...organizationQuery };
  if (path === '/' || (path === DASHBOARD && !screen)) {
    const start = startAddress(user);
    return redirectTo(start.path, { ...start.search, ...query });
  }
  if (!screen || !mayOpen(screen, user)) return proceed;
  if (item) {
    if (!item.isWellFormed || !item.exists) return redirectTo(item.list, organizationQuery);
    return item.target ? redirectTo(item.target.to, { ...item.target.search, ...organizationQuery }) : proceed;
  }
  return screen.path === path ? proceed : redirectTo(screen.path, query);
}

function mayOpen({ ability, features }: ScreenRule, user: CurrentUser): boolean {
  return features.every((feature) => user.features.has(feature)) && (!ability || user.abilities.has(ability));
}
