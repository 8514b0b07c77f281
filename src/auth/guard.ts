import type { Message } from '#commands/text/message.ts';

/**
 * The navigation guard (spec 2), as one pure function: whether an address is shown to this person now, or where they go
 * instead. It knows no screens: whoever calls it says what the address is.
 */

/** What is asked of somebody new, in this order, before the console (spec 2: flow order for a new user). */
export const steps = ['verification', 'password', 'factor', 'terms', 'organization'] as const;
export type Step = (typeof steps)[number];

const SCREEN_OF: Readonly<Record<Step, string>> = {
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
  /** Path and query as one text, without `organization`: what `redirect` keeps. */
  readonly text: string;
}

export interface Route extends Address {
  /** The organization that the address names. */
  readonly organization?: string | undefined;
  /** Where the person was heading before they were sent here; a place of this console, checked. */
  readonly destination?: Address | undefined;
  readonly needsAuth: boolean;
  /** Stays open to somebody who is signed in, though it lies before the console. */
  readonly exempt: boolean;
  /** What this screen settles. */
  readonly step?: Step;
  /** The way in that the screen is for. */
  readonly permission?: 'password' | 'token' | 'identity';
  /** Completes a sign-in that waits for its second factor. */
  readonly challenge?: true;
  /** Of a mail of the identity provider, which has one address for all of them. */
  readonly action?: { readonly mode: string; readonly code: string };
  /** Of the console: what its table of screens says of this path; undefined for a path that is none of them. */
  readonly screen?: ScreenRule | undefined;
  /** The item that the address names, looked up. */
  readonly item?: ItemFact | undefined;
}

export interface ScreenRule {
  /** Its own path; another one than the address's where that is a second name of it. */
  readonly path: string;
  readonly ability?: string | undefined;
  readonly features: readonly string[];
}

/** An item that an address names. */
export interface ItemFact {
  /** The list that it is in. */
  readonly list: string;
  /** False for an id that should be a number and is none. */
  readonly wellFormed: boolean;
  readonly exists: boolean;
  /** Says that it does not exist, where an item was named. */
  readonly missing?: Message | undefined;
  /** Where the console shows it. */
  readonly shown: Place;
}

export interface Place {
  readonly to: string;
  readonly search: Query;
}

export type Session =
  | { readonly status: 'signed-out'; readonly waitsForFactor?: boolean }
  | {
      readonly status: 'signed-in';
      readonly by: 'token' | 'identity';
      readonly emailVerified?: boolean;
      readonly factors?: number;
      readonly skippedFactor?: boolean;
      /** How they just came in; undefined for a session that goes on. */
      readonly arrival?: 'password' | 'google' | 'created' | undefined;
    };

/** The current user, as seen from the organization acted for. */
export interface Known {
  readonly acceptedTac: boolean;
  readonly passwordResetRecommended: boolean;
  /** Acted for; empty when there is none. */
  readonly organization: string;
  readonly features: ReadonlySet<string>;
  readonly abilities: ReadonlySet<string>;
  /** missionControlSettings.defaultScreen. */
  readonly defaultScreen: string;
  /** Where their work begins, for who has set no screen: support staff look for a customer first. */
  readonly begins?: Pick<Address, 'path' | 'search'>;
  /** Paths of the screens that they may open, in the order of the console. */
  readonly screens: readonly string[];
}

/** Or the gRPC status with which they could not be fetched. */
export type User = Known | { readonly failure: number };

export interface Config {
  readonly passwordAuth: boolean;
  readonly tokenAuth: boolean;
  /** A Google account, on the same screen as a password. */
  readonly googleAuth: boolean;
}

export type Decision =
  | { readonly proceed: true }
  | (Place & {
      readonly proceed: false;
      /** What has to happen on the way. */
      readonly also?: 'sign-out' | 'leave-organization';
    });

const DASHBOARD = '/dashboard';
const FALLBACK = '/user';
const PERMISSION_DENIED = 7;

const proceed: Decision = { proceed: true };
const go = (to: string, search: Query): Exclude<Decision, { proceed: true }> => ({ proceed: false, to, search });

/**
 * Whether the answer depends on the current user, who then has to be fetched first. Nobody is asked about an account
 * whose mail is not verified.
 */
export function asksForUser(route: Route, session: Session): boolean {
  if (session.status === 'signed-out' || isUnverified(session)) return false;
  return !route.exempt || (route.step !== undefined && route.step !== 'verification');
}

/**
 * Whether an address is shown, or where to instead; `user` is undefined where nobody asked for them ({@link
 * asksForUser}).
 */
export function guard(route: Route, session: Session, user: User | undefined, config: Config): Decision {
  if (route.action) {
    const screen = ACTIONS[route.action.mode];
    if (screen) return go(screen, { oobCode: route.action.code });
  }
  if (session.status === 'signed-out') return visitor(route, session, config);
  if (user && 'failure' in user) return failed(route, user.failure);
  const next = pending(session, user);
  if (next && !isOpen(route, next)) return go(SCREEN_OF[next], kept(route));
  if (route.exempt || !user) return proceed;
  if (!route.needsAuth) return arrive(route, user);
  return inside(route, user);
}

const ACTIONS: Readonly<Record<string, string | undefined>> = {
  resetPassword: SCREEN_OF.password,
  verifyEmail: SCREEN_OF.verification,
};

function visitor(route: Route, { waitsForFactor }: { waitsForFactor?: boolean }, config: Config): Decision {
  const { passwordAuth: password, tokenAuth: token } = config;
  const permitted = { password, token, identity: password || config.googleAuth };
  const entry = permitted.identity ? '/login' : permitted.token ? '/login/token' : '/error';
  if (route.needsAuth) return go(entry, kept(route));
  if (route.permission && !permitted[route.permission]) return go(entry, kept(route));
  if (route.challenge && !waitsForFactor) return go(entry, kept(route));
  return proceed;
}

function failed(route: Route, failure: number): Decision {
  if (failure === PERMISSION_DENIED && route.organization) {
    return { proceed: false, to: '/', search: {}, also: 'leave-organization' };
  }
  return { proceed: false, to: '/login', search: kept(route), also: 'sign-out' };
}

function isUnverified(session: Session & { status: 'signed-in' }): boolean {
  return session.by === 'identity' && session.emailVerified === false;
}

/** The first thing that is still asked of them. */
function pending(session: Session & { status: 'signed-in' }, user: Known | undefined): Step | undefined {
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
 * A screen of a later step has to wait; one of this step or an earlier one may be opened, and so may what belongs to
 * no step.
 */
function isOpen({ exempt, step }: Route, next: Step): boolean {
  return exempt && (step === undefined || steps.indexOf(step) <= steps.indexOf(next));
}

/** What goes along to a screen before the console: where to go on afterwards, and for which organization. */
function kept(route: Route): Query {
  const { organization, destination } = route;
  const heading = isIntended(route) ? route : destination;
  const redirect = heading && !isStart(heading) ? heading.text : undefined;
  return { ...(redirect ? { redirect } : {}), ...(organization ? { organization } : {}) };
}

/** A screen of the way to the console comes by itself. */
function isIntended({ needsAuth, step }: Route): boolean {
  return needsAuth && (step === undefined || step === 'organization');
}

/** Where everybody comes to who names nothing. */
function isStart({ path, search }: Address): boolean {
  return (path === '/' || path === DASHBOARD) && Object.keys(search).length === 0;
}

/** From a screen before the console to where the person was heading. */
function arrive({ destination, organization }: Route, user: Known): Decision {
  const search = { ...destination?.search, ...(organization ? { organization } : {}) };
  const isSomewhere = destination && destination.path !== '/' && destination.path !== DASHBOARD;
  if (isSomewhere) return go(destination.path, search);
  const start = landing(user);
  return go(start.path, { ...start.search, ...search });
}

/**
 * The screen that this person starts on: their own choice, else where their work begins, else the dashboard, else the
 * first that they may open.
 */
function landing({ defaultScreen, begins, screens }: Known): Pick<Address, 'path' | 'search'> {
  const own =
    defaultScreen !== DASHBOARD && screens.includes(defaultScreen) ? { path: defaultScreen, search: {} } : begins;
  if (own && screens.includes(own.path)) return own;
  return { path: screens.includes(DASHBOARD) ? DASHBOARD : (screens[0] ?? FALLBACK), search: {} };
}

/**
 * What is not theirs to open, or not there, is said at its own address: a link that leads elsewhere explains nothing.
 */
function inside({ path, search, organization, screen, item }: Route, user: Known): Decision {
  const acting = organization ? { organization } : {};
  const query = { ...search, ...acting };
  if (path === '/' || (path === DASHBOARD && !screen)) {
    const start = landing(user);
    return go(start.path, { ...start.search, ...query });
  }
  if (!screen || !mayOpen(screen, user)) return proceed;
  if (item)
    return item.wellFormed && item.exists
      ? go(item.shown.to, { ...item.shown.search, ...acting })
      : go(item.list, acting);
  return screen.path === path ? proceed : go(screen.path, query);
}

function mayOpen({ ability, features }: ScreenRule, user: Known): boolean {
  return features.every((feature) => user.features.has(feature)) && (!ability || user.abilities.has(ability));
}
