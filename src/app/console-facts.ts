import { Code, ConnectError } from '@connectrpc/connect';

import { failureOf } from '#commands/model/errors.ts';
import type { Message } from '#commands/text/message.ts';

import type { Known, Route, User } from '#src/auth/guard.ts';
import { personNow } from '#src/auth/session.ts';
import { loadActing } from '#src/acting/current-user.ts';
import { textsOf, translate } from '#src/i18n/i18n.ts';
import { actingAtom, type Acting } from '#src/state/acting.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { itemAt } from './deep-addresses.ts';
import { enterOrganization } from '#src/acting/organization.ts';
import { openTo, screenAt } from '#src/address/paths.ts';

// What the guard is told of the console: who the person is there, and what its addresses are.

interface Asked {
  readonly user: User;
  /** What the server said instead of who they are. */
  readonly refusal?: string;
}

/**
 * Who is signed in, seen from the organization that the address names, else from their own; asked of the server once
 * per organization.
 * @throws ConnectError for a server that is out of reach.
 */
export async function userFor(organization: string | undefined): Promise<Asked> {
  const known = store.get(actingAtom);
  if (known && known.organization.id === (organization ?? known.actor.home)) return { user: factsOf(known) };
  try {
    return { user: factsOf(await enterOnce(organization)) };
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    if (code === Code.Unavailable || code === Code.Canceled) throw error;
    return { user: { failure: code }, refusal: rawMessage };
  }
}

/** The organization that was asked for last, and by whom: another answer comes too late, and nobody may act by it. */
let wanted: { readonly person: string | undefined; readonly organization: string | undefined } | undefined;
let answer: Promise<Acting> | undefined;

/** Signing in goes on from the form and from the session at the same time: both wait for one answer. */
function enterOnce(organization: string | undefined): Promise<Acting> {
  const person = personNow();
  if (answer && wanted?.person === person && wanted?.organization === organization) return answer;
  wanted = { person, organization };
  const mine = enter(organization).finally(() => {
    if (answer === mine) answer = undefined;
  });
  answer = mine;
  return mine;
}

/** Acts for the organization from here on. @throws ConnectError CANCELED when somebody else is wanted by then. */
async function enter(organization: string | undefined): Promise<Acting> {
  const asked = wanted;
  const acting = await loadActing(organization);
  if (wanted !== asked || personNow() !== asked?.person) throw new ConnectError('superseded', Code.Canceled);
  enterOrganization(acting);
  return acting;
}

/** Support staff who act for nobody yet choose a customer first. */
const CUSTOMERS = { path: '/settings/organizations', search: { filter: 'accessible:true' } };

/** Spec 3: missionControlSettings.defaultScreen, and its default. */
const DEFAULT_SCREEN = '/dashboard';

function factsOf(acting: Acting): Known {
  const { actor, organization, preferences, acceptedTac, passwordResetRecommended } = acting;
  const wanted = preferences['defaultScreen'];
  return {
    acceptedTac,
    passwordResetRecommended,
    organization: organization.id,
    features: organization.features,
    abilities: actor.abilities,
    defaultScreen: typeof wanted === 'string' ? wanted : DEFAULT_SCREEN,
    ...(actor.abilities.has('CUSTOMER_SUPPORT') && !organization.impersonating ? { begins: CUSTOMERS } : {}),
    screens: openTo(acting).map(({ screen }) => screen.path),
  };
}

/** The texts of the noun that the screen of an address shows. */
export async function textsAt(path: string): Promise<void> {
  const shows = screenAt(path, store.get(actingAtom))?.destination.shows;
  if (shows) await textsOf('entity' in shows ? shows.entity.name : shows.page.noun);
}

export async function consoleFacts(path: string): Promise<Pick<Route, 'screen' | 'item'>> {
  const acting = store.get(actingAtom);
  const found = screenAt(path, acting);
  if (!found) return {};
  const { destination, rest } = found;
  const { requires, features, screen } = destination;
  const mayLook = !requires || acting?.actor.abilities.has(requires);
  return {
    screen: { path: screen.path, ability: requires, features },
    item: mayLook && rest.length > 0 ? await itemAt(destination, rest) : undefined,
  };
}

/** Says why somebody is not where they meant to go, in the server's words or ours; it stays until it is read. */
export function tell(why: string | Message): void {
  const message = typeof why === 'string' ? failureOf(new ConnectError(why, Code.PermissionDenied)).message : why;
  toasts.push({ title: translate(message), tone: 'error', duration: Infinity });
}
