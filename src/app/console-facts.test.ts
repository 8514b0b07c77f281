import { Code, ConnectError } from '@connectrpc/connect';
import { beforeEach, expect, it, vi } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';

import { sessionAtom } from '#src/auth/session.ts';
import { loadActing } from '#src/acting/current-user.ts';
import { actingAtom, type Acting } from '#src/state/acting.ts';
import { store } from '#src/state/store.ts';
import { consoleFacts, userFor } from './console-facts.ts';

vi.mock('#src/acting/current-user.ts');

/** Answers of the server, in the order that the test gives them. */
const answers = new Map<string, (value: Acting | ConnectError) => void>();
const acting = (id: string): Acting => {
  const { actor, organization } = testContext();
  const of = { ...organization, id };
  return {
    actor: { ...actor, home: 'home' },
    organization: of,
    preferences: {},
    acceptedTac: true,
    passwordResetRecommended: false,
  };
};
const actingFor = () => store.get(actingAtom)?.organization.id;
const signIn = (id: string) => store.set(sessionAtom, { status: 'signed-in', by: 'token', id });

beforeEach(() => {
  store.set(actingAtom, undefined);
  signIn('anna');
  vi.mocked(loadActing)
    .mockReset()
    .mockImplementation(
      (organization = 'home') =>
        new Promise((resolve, reject) => {
          answers.set(organization, (value) => (value instanceof ConnectError ? reject(value) : resolve(value)));
        }),
    );
});

it('asks once for an organization, however many ask for it', async () => {
  const asked = [userFor(undefined), userFor(undefined)];
  answers.get('home')?.(acting('home'));
  for (const item of await Promise.all(asked)) expect(item.user).toMatchObject({ organization: 'home' });
  await userFor('home');
  expect(loadActing).toHaveBeenCalledOnce();
});

it('never acts for an organization that was left before its answer came', async () => {
  const slow = userFor('slow');
  const quick = userFor('quick');
  answers.get('quick')?.(acting('quick'));
  await quick;
  answers.get('slow')?.(acting('slow'));
  await expect(slow).rejects.toMatchObject({ code: Code.Canceled });
  expect(actingFor()).toBe('quick');
});

it('never acts for somebody who signed out meanwhile', async () => {
  const asked = userFor(undefined);
  store.set(sessionAtom, { status: 'signed-out' });
  answers.get('home')?.(acting('home'));
  await expect(asked).rejects.toMatchObject({ code: Code.Canceled });
  expect(actingFor()).toBeUndefined();
});

it('tells a refusal from a server that is out of reach', async () => {
  const refused = userFor('foreign');
  answers.get('foreign')?.(new ConnectError('not yours', Code.PermissionDenied));
  expect(await refused).toEqual({ user: { failure: 7 }, refusal: 'not yours' });
  const lost = userFor('foreign');
  answers.get('foreign')?.(new ConnectError('no network', Code.Unavailable));
  await expect(lost).rejects.toMatchObject({ code: Code.Unavailable });
});

it('knows which screen an address leads to', async () => {
  store.set(actingAtom, acting('home'));
  expect(await consoleFacts('/settings/general')).toMatchObject({
    screen: { path: '/user/general', features: [] },
  });
  expect(await consoleFacts('/nothing')).toEqual({});
});
