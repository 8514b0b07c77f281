import { redirect } from '@tanstack/react-router';

import type { Message } from '#commands/text/message.ts';

import { asksForUser, guard, type Config, type Decision, type Session } from '#src/auth/guard.ts';
import { arrived, sessionAtom, signOut } from '#src/auth/session.ts';
import { skippedSecondFactor } from '#src/auth/skip.ts';
import { EVERY_WAY, serverInfo } from '#src/net/server-info.ts';
import { store } from '#src/state/store.ts';
import { stringifySearch, type Search } from '#src/address/address.ts';
import { ruleBefore } from '#src/address/public-routes.ts';
import { addressOf, destinationOf } from '#src/address/redirect.ts';

/** The console behind sign-in, in a chunk of its own: the sign-in screens do without the registry and what reads it. */
export const loadApp = () => import('./app.tsx');

/** What the guard is told of it, once it has begun. */
async function loadFacts() {
  const [facts] = await Promise.all([import('./console-facts.ts'), loadApp()]);
  return facts;
}

/**
 * Asks the guard about an address before anything of it is loaded, and sees to the answer.
 * @throws Redirect to where the person goes instead; ConnectError for a server that is out of reach, which says
 *   nothing about the person.
 */
export async function enforce(path: string, search: Search): Promise<void> {
  const { decision, refusal, missing } = await decide(path, search);
  if (decision.proceed) return;
  const why = refusal ?? missing;
  if (decision.also === 'sign-out') await signOut(refusal);
  else if (why) (await loadFacts()).tell(why);
  throw redirect({ href: decision.to + stringifySearch(decision.search), replace: true });
}

interface Decided {
  readonly decision: Decision;
  /** What the server said about the person. */
  readonly refusal?: string | undefined;
  /** Says that the item of the address does not exist. */
  readonly missing?: Message | undefined;
}

async function decide(path: string, search: Search): Promise<Decided> {
  const rule = ruleBefore(path, search.oobCode);
  const { mode, oobCode, organization } = search;
  const route = {
    ...addressOf(path, search),
    ...(rule ?? { needsAuth: true, exempt: false }),
    organization,
    destination: destinationOf(search.redirect),
    // A project of the provider has one address for all of its mails.
    ...(path === '/login' && mode && oobCode ? { action: { mode, code: oobCode } } : {}),
  };
  const config = await capabilities();
  const session = sessionNow();
  if (!asksForUser(route, session)) return { decision: guard(route, session, undefined, config) };
  const { consoleFacts, textsAt, userFor } = await loadFacts();
  const [{ user, refusal }] = await Promise.all([userFor(organization), textsAt(path)]);
  const facts = rule || 'failure' in user ? {} : await consoleFacts(path);
  const decision = guard({ ...route, ...facts }, session, user, config);
  if (decision.proceed && !rule) arrived();
  return { decision, refusal, missing: facts.item?.missing };
}

/** The ways in, as far as the server can be asked: it will be when somebody signs in. */
async function capabilities(): Promise<Config> {
  const { password, token, google } = await serverInfo().then(
    ({ signIn }) => signIn,
    () => EVERY_WAY,
  );
  return { passwordAuth: password, tokenAuth: token, googleAuth: google };
}

function sessionNow(): Session {
  const session = store.get(sessionAtom);
  if (session.status !== 'signed-in') {
    return { status: 'signed-out', ...('waitsForFactor' in session ? { waitsForFactor: true } : {}) };
  }
  if (session.by === 'token') return { status: 'signed-in', by: 'token' };
  const { emailVerified, factors, arrival } = session;
  const skippedFactor = skippedSecondFactor(session.id);
  return { status: 'signed-in', by: 'identity', emailVerified, factors: factors.length, skippedFactor, arrival };
}
