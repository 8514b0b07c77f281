import { redirect } from '@tanstack/react-router';

import type { Message } from '#commands/text/message.ts';
import { stringifySearch, type Search } from '#src/address/address.ts';
import { ruleOutsideConsole } from '#src/address/public-routes.ts';
import { createAddress, parseDestination } from '#src/address/redirect.ts';
import { needsUser, guard, type Config, type Decision, type Session } from '#src/auth/guard.ts';
import { completeArrival, sessionAtom, signOut } from '#src/auth/session.ts';
import { hasSkippedSecondFactor } from '#src/auth/skip.ts';
import { ALL_METHODS, loadServerInfo } from '#src/net/server-info.ts';
import { store } from '#src/state/store.ts';

/** Loads the console behind sign-in. It is a separate chunk because sign-in screens do not need the registry. */
export const loadApp = () => import('./app.tsx');

/** Starts the console and loads the module that provides the guard's facts about it. */
async function loadFacts() {
  const [facts] = await Promise.all([import('./console-facts.ts'), loadApp()]);
  return facts;
}

/** Preloads the parts of the screen at a path while the rest of the console loads. */
async function preload(path: string, { filter }: Search): Promise<void> {
  const loaders = import('#src/registry/loaders.ts');
  if (filter) import('#src/filter/OpenFilterLine.tsx').catch(() => undefined);
  (await loaders).preloadScreen(path);
}

/**
 * Asks the guard about a URL before loading anything for it, and carries out the decision.
 *
 * @throws Redirect to another URL, or ConnectError if the server is unreachable
 */
export async function enforce(path: string, search: Search): Promise<void> {
  const { decision, denial, missingMessage } = await decide(path, search);
  if (decision.proceed) return;
  const reason = denial ?? missingMessage;
  if (decision.effect === 'sign-out') await signOut(denial);
  else if (reason) (await loadFacts()).explainRedirect(reason);
  throw redirect({ href: decision.to + stringifySearch(decision.search), replace: true });
}

interface GuardResult {
  readonly decision: Decision;
  /** The server's message, if it denied access to the user. */
  readonly denial?: string | undefined;
  /** The message that the item in the URL doesn't exist. */
  readonly missingMessage?: Message | undefined;
}

async function decide(path: string, search: Search): Promise<GuardResult> {
  const rule = ruleOutsideConsole(path, search.oobCode);
  const { mode, oobCode, organization } = search;
  const route = {
    ...createAddress(path, search),
    ...(rule ?? { needsAuth: true, isExempt: false }),
    organization,
    destination: parseDestination(search.redirect),
    // A Firebase project has a single URL for the links in all of its emails.
    ...(path === '/login' && mode && oobCode ? { action: { mode, code: oobCode } } : {}),
  };
  const config = await loadConfig();
  const session = currentSession();
  if (!needsUser(route, session)) return { decision: guard(route, session, undefined, config) };
  // `loadScreen` loads the same parts and reports failures.
  preload(path, search).catch(() => undefined);
  const { collectConsoleFacts: consoleFacts, loadScreen, loadUser } = await loadFacts();
  const [{ user, denial }] = await Promise.all([loadUser(organization), loadScreen(path, search)]);
  const facts = rule || 'failure' in user ? {} : await consoleFacts(path);
  const decision = guard({ ...route, ...facts }, session, user, config);
  if (decision.proceed && !rule) completeArrival();
  return { decision, denial, missingMessage: facts.item?.missingMessage };
}

/**
 * Loads the available sign-in methods. Assumes all of them if the server is unreachable, because signing in needs the
 * server anyway.
 */
async function loadConfig(): Promise<Config> {
  const { password, token, google } = await loadServerInfo().then(
    ({ signIn }) => signIn,
    () => ALL_METHODS,
  );
  return { passwordAuth: password, tokenAuth: token, googleAuth: google };
}

function currentSession(): Session {
  const session = store.get(sessionAtom);
  if (session.status !== 'signed-in') {
    return { status: 'signed-out', ...('waitsForFactor' in session ? { waitsForFactor: true } : {}) };
  }
  if (session.method === 'token') return { status: 'signed-in', method: 'token' };
  const { emailVerified, factors, arrival } = session;
  const skippedFactor = hasSkippedSecondFactor(session.id);
  return { status: 'signed-in', method: 'identity', emailVerified, factors: factors.length, skippedFactor, arrival };
}
