import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { olga } from '#server/testkit/identity-provider.ts';

import { loadEmulator, type ProjectState } from './emulator-api.ts';
import { createDemoProject } from './project.ts';
import { createTokenIssuer, correctSessions } from './sessions.ts';

const modules = loadEmulator('demo-test');
const { accounts, projects } = modules.operations.identitytoolkit;
let project: ProjectState;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  project = createDemoProject(modules, 'demo-test', true, () => undefined);
  correctSessions(modules, project);
  const { id, email, password } = olga;
  await projects.accounts.batchCreate(project, { users: [{ localId: id, email, rawPassword: password }] }, {});
});
afterAll(() => {
  vi.useRealTimers();
});

const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
const signIn = () => accounts.signInWithPassword(project, { ...olga }, {});
const authTime = (token: unknown) => decodeJwt(String(token)).auth_time;
const renew = async (refreshToken: unknown) =>
  modules.operations.securetoken.token(project, { grantType: 'refresh_token', refreshToken }, {});

describe('a session', () => {
  test('keeps its start time when another session starts', async () => {
    const first = await signIn();
    advance(600);
    const second = await signIn();
    expect(authTime(second.idToken)).toBe(Number(authTime(first.idToken)) + 600);
    const tokens = await renew(first.refreshToken);
    expect(authTime(tokens.id_token)).toBe(authTime(first.idToken));
    expect(tokens.refresh_token).toBe(first.refreshToken);
    expect(authTime((await renew(second.refreshToken)).id_token)).toBe(authTime(second.idToken));
  });

  test('ends when earlier tokens are revoked', async () => {
    const { refreshToken } = await signIn();
    advance(10);
    project.updateUserByLocalId(olga.id, { validSince: String(Math.floor(Date.now() / 1000)) });
    await expect(renew(refreshToken)).rejects.toThrow('TOKEN_EXPIRED');
    await expect(renew((await signIn()).refreshToken)).resolves.toHaveProperty('id_token');
  });

  test('keeps the second factor that it started with', async () => {
    const user = project.getUserByLocalId(olga.id);
    if (user === undefined) throw new Error('The project has no account for Olga.');
    const tokens = await createTokenIssuer(modules)(project, user, 'google.com', {
      identifier: 'one',
      provider: 'totp',
    });
    for (const token of [tokens.idToken, (await renew(tokens.refreshToken)).id_token]) {
      expect(decodeJwt(String(token)).firebase).toMatchObject({
        sign_in_provider: 'google.com',
        sign_in_second_factor: 'totp',
        second_factor_identifier: 'one',
      });
    }
  });
});
