import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, expect, test, vi } from 'vitest';

import type { Ability } from '#commands/model/ability.ts';
import { message } from '#commands/text/message.ts';
import { sessionAtom } from '#src/auth/session.ts';
import { isFilterLineLoaded } from '#src/filter/FilterLine.tsx';
import { i18n } from '#src/i18n/i18n.ts';
import { loadUserSession } from '#src/session/current-user.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom, type UserSession } from '#src/state/user-session.ts';

import { collectConsoleFacts, explainRedirect, loadScreen, loadUser } from './console-facts.ts';

vi.mock('#src/session/current-user.ts');

/** Functions that settle the pending request for each organization, so tests can choose the order. */
const responders = new Map<string, (value: UserSession | ConnectError) => void>();
const sessionIn = (id: string): UserSession => {
  const session = testSession();
  return {
    ...session,
    actor: { ...session.actor, home: 'home' },
    organization: { ...session.organization, id },
  };
};
const currentOrganization = () => store.get(userSessionAtom)?.organization.id;
const signIn = (id: string) => store.set(sessionAtom, { status: 'signed-in', method: 'token', id });

beforeEach(() => {
  store.set(userSessionAtom, undefined);
  signIn('anna');
  vi.mocked(loadUserSession)
    .mockReset()
    .mockImplementation(
      (organization = 'home') =>
        new Promise((resolve, reject) => {
          responders.set(organization, (value) => (value instanceof ConnectError ? reject(value) : resolve(value)));
        }),
    );
});

test('loads an organization once for concurrent callers', async () => {
  const requests = [loadUser(undefined), loadUser(undefined)];
  responders.get('home')?.(sessionIn('home'));
  for (const result of await Promise.all(requests)) expect(result.user).toMatchObject({ organization: 'home' });
  await loadUser('home');
  expect(loadUserSession).toHaveBeenCalledOnce();
});

test('discards a late response after another organization was requested', async () => {
  const slowLoad = loadUser('slow');
  const quickLoad = loadUser('quick');
  responders.get('quick')?.(sessionIn('quick'));
  await quickLoad;
  responders.get('slow')?.(sessionIn('slow'));
  await expect(slowLoad).rejects.toMatchObject({ code: Code.Canceled });
  expect(currentOrganization()).toBe('quick');
});

test('discards a late response after sign-out', async () => {
  const request = loadUser(undefined);
  store.set(sessionAtom, { status: 'signed-out' });
  responders.get('home')?.(sessionIn('home'));
  await expect(request).rejects.toMatchObject({ code: Code.Canceled });
  expect(currentOrganization()).toBeUndefined();
});

test('distinguishes a denial from an unreachable server', async () => {
  const foreignLoad = loadUser('foreign');
  responders.get('foreign')?.(new ConnectError('not yours', Code.PermissionDenied));
  expect(await foreignLoad).toEqual({ user: { failure: Code.PermissionDenied }, denial: 'not yours' });
  const unreachable = loadUser('foreign');
  responders.get('foreign')?.(new ConnectError('no network', Code.Unavailable));
  await expect(unreachable).rejects.toMatchObject({ code: Code.Unavailable });
});

test('sends support staff without an organization to the list of organizations', async () => {
  const startScreenOf = async (session: UserSession) => {
    store.set(userSessionAtom, session);
    const { user } = await loadUser(session.organization.id);
    return 'startScreen' in user ? user.startScreen : undefined;
  };
  const { actor, organization, ...rest } = sessionIn('home');
  expect(await startScreenOf({ ...rest, actor, organization })).toEqual({
    path: '/settings/organizations',
    search: { filter: 'accessible:true' },
  });
  const customer = { ...actor, abilities: new Set([...actor.abilities].filter((name) => name !== 'CUSTOMER_SUPPORT')) };
  expect(await startScreenOf({ ...rest, actor: customer, organization })).toBeUndefined();
  expect(
    await startScreenOf({ ...rest, actor, organization: { ...organization, id: 'acme', awayFromHome: true } }),
  ).toBeUndefined();
});

test('resolves a path to its screen', async () => {
  store.set(userSessionAtom, sessionIn('home'));
  expect(await collectConsoleFacts('/settings/general')).toMatchObject({
    screen: { path: '/user/general', features: [] },
  });
  expect(await collectConsoleFacts('/nothing')).toEqual({});
});

test('resolves an area to its first screen, even if the user may open none of them', async () => {
  const session = sessionIn('home');
  const screenOf = async (abilities: readonly Ability[]) => {
    store.set(userSessionAtom, { ...session, actor: { ...session.actor, abilities: new Set(abilities) } });
    return (await collectConsoleFacts('/developer-tools')).screen;
  };
  expect(await screenOf(['MANAGE_PARSERS'])).toMatchObject({ path: '/developer-tools/parsers' });
  expect(await screenOf([])).toMatchObject({ path: '/developer-tools/webhooks', ability: 'PUBLISHERS' });
});

test('loads the filter language with the first screen that has a filter', async () => {
  await loadScreen('/devices', {});
  expect(isFilterLineLoaded()).toBe(false);
  await loadScreen('/devices', { filter: 'health:ERROR' });
  expect(isFilterLineLoaded()).toBe(true);
});

test('explains a redirect even if the strings have not loaded yet', async () => {
  i18n.removeResourceBundle('en', 'running');
  explainRedirect(message('running:lookup.none', { entity: message('device:one'), text: 'FFFF 0000' }));
  await vi.waitFor(() => expect(toasts.list()).toHaveLength(1));
  expect(toasts.list().map(({ title }) => title)).toEqual(['No device is named “FFFF 0000”. Check the spelling.']);
});
