import { Code, ConnectError } from '@connectrpc/connect';

import { failureOf } from '#commands/model/errors.ts';
import type { Destination } from '#commands/registry/destinations.ts';
import type { Message } from '#commands/text/message.ts';
import type { Search } from '#src/address/address.ts';
import { accessibleDestinations, screenAt } from '#src/address/paths.ts';
import type { CurrentUser, ItemFact, Route, User } from '#src/auth/guard.ts';
import { currentUserId } from '#src/auth/session.ts';
import { isFilterLineLoaded, loadFilterLine } from '#src/filter/FilterLine.tsx';
import { loadStrings, translate, withStrings } from '#src/i18n/i18n.ts';
import { parsePanelItem } from '#src/panel/Panel.tsx';
import { loadCommands, loadEntity, registry } from '#src/registry/registry.ts';
import { loadUserSession } from '#src/session/current-user.ts';
import { enterOrganization } from '#src/session/organization.ts';
import { waitForView } from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom, type UserSession } from '#src/state/user-session.ts';

// Provides the guard's facts about the console: the current user, and the screen and item at a URL.

interface UserLookup {
  readonly user: User;
  /** The server's message, if it denied access. */
  readonly denial?: string;
}

/**
 * Loads the signed-in user and the organization in the URL, or else the user's own. Concurrent callers share one
 * request.
 *
 * @throws ConnectError if the server is unreachable.
 */
export async function loadUser(organization: string | undefined): Promise<UserLookup> {
  const current = store.get(userSessionAtom);
  if (current && current.organization.id === (organization ?? current.actor.home))
    return { user: toCurrentUser(current) };
  try {
    return { user: toCurrentUser(await enterOnce(organization)) };
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    if (code === Code.Unavailable || code === Code.Canceled) throw error;
    return { user: { failure: code }, denial: rawMessage };
  }
}

/**
 * The user and organization of the latest request. Responses to earlier requests are stale and must not take effect.
 */
let latest: { readonly userId: string | undefined; readonly organization: string | undefined } | undefined;
let pendingSession: Promise<UserSession> | undefined;

/** Deduplicates requests. After sign-in, the form and the session each trigger one at the same time. */
function enterOnce(organization: string | undefined): Promise<UserSession> {
  const userId = currentUserId();
  if (pendingSession && latest?.userId === userId && latest?.organization === organization) return pendingSession;
  latest = { userId, organization };
  const request = enter(organization).finally(() => {
    if (pendingSession === request) pendingSession = undefined;
  });
  pendingSession = request;
  return request;
}

/**
 * Switches to the organization.
 *
 * @throws ConnectError CANCELED if another request has superseded this one
 */
async function enter(organization: string | undefined): Promise<UserSession> {
  const request = latest;
  const session = await loadUserSession(organization);
  if (latest !== request || currentUserId() !== request?.userId) throw new ConnectError('superseded', Code.Canceled);
  enterOrganization(session);
  return session;
}

/** Support staff without a support session choose a customer first. */
const CUSTOMERS = { path: '/settings/organizations', search: { filter: 'accessible:true' } };

/** The default of missionControlSettings.defaultScreen (spec 3). */
const DEFAULT_SCREEN = '/dashboard';

function toCurrentUser(session: UserSession): CurrentUser {
  const { actor, organization, preferences, acceptedTac, passwordResetRecommended } = session;
  const preferredPath = preferences['defaultScreen'];
  return {
    acceptedTac,
    passwordResetRecommended,
    organization: organization.id,
    features: organization.features,
    abilities: actor.abilities,
    defaultScreen: typeof preferredPath === 'string' ? preferredPath : DEFAULT_SCREEN,
    ...(actor.abilities.has('CUSTOMER_SUPPORT') && !organization.awayFromHome ? { startScreen: CUSTOMERS } : {}),
    screens: accessibleDestinations(session).map(({ screen }) => screen.path),
  };
}

/**
 * Loads the parts of the screen at a URL: its entity or page, the entities of the items in its panel, the line and the
 * language of its filter, and its strings. Skips parts that have already loaded. Holds keystrokes meanwhile because
 * they are meant for the new screen.
 */
export async function loadScreen(path: string, { panel = [], filter = '' }: Search): Promise<void> {
  const shows = screenAt(path, store.get(userSessionAtom))?.destination.shows;
  const names = panel.flatMap((text) => parsePanelItem(text)?.entity ?? []);
  if (shows && 'entity' in shows) names.push(shows.entity.name);
  const loads = [
    ...names.filter((name) => !registry().entity(name)).map(loadEntity),
    ...(filter !== '' && !isFilterLineLoaded() ? [loadFilterLine()] : []),
    ...(shows && 'page' in shows ? [loadCommands([`${shows.page.noun}.${shows.page.name}`])] : []),
  ].filter((promise) => promise !== undefined);
  const loadingStrings = shows && loadStrings('entity' in shows ? shows.entity.name : shows.page.noun);
  if (loads.length === 0) return loadingStrings;
  await waitForView(Promise.all([loadingStrings, ...loads]));
}

export async function collectConsoleFacts(path: string): Promise<Pick<Route, 'screen' | 'item'>> {
  const session = store.get(userSessionAtom);
  const address = screenAt(path, session);
  if (!address) return {};
  const { destination, segments } = address;
  const { requires, features, screen } = destination;
  const mayOpen = !requires || session?.actor.abilities.has(requires);
  return {
    screen: { path: screen.path, ability: requires, features },
    item: mayOpen && segments.length > 0 ? await findItem(destination, segments) : undefined,
  };
}

async function findItem(destination: Destination, segments: readonly string[]): Promise<ItemFact> {
  const { findItem } = await import('./deep-addresses.ts');
  return findItem(destination, segments);
}

/**
 * Explains a redirect with a toast that stays until closed. `reason` is a message from the server or from the console.
 */
export function explainRedirect(reason: string | Message): void {
  const message =
    typeof reason === 'string' ? failureOf(new ConnectError(reason, Code.PermissionDenied)).message : reason;
  withStrings(() => toasts.push({ title: translate(message), tone: 'error', duration: Infinity }));
}
