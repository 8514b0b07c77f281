import { expect, test, vi } from 'vitest';

import { createTokenRenewal } from './token-renewal.ts';

/** Creates a fake identity provider, whose token expires and is renewed on request. */
function createProvider(tokens: readonly string[]) {
  let index = 0;
  const bearer = vi.fn<(forceRefresh: boolean) => Promise<string | undefined>>(async (forceRefresh) => {
    if (forceRefresh) index = Math.min(index + 1, tokens.length - 1);
    return tokens[index];
  });
  const renewalCount = () => bearer.mock.calls.filter(([fresh]) => fresh).length;
  return { bearer, renewals: renewalCount };
}

test('retries with a fresh token', async () => {
  const { bearer, renewals } = createProvider(['old', 'new']);
  expect(await createTokenRenewal(bearer)('old')).toBe(true);
  expect(renewals()).toBe(1);
});

test('renews once for concurrent rejections, but not for a late rejection', async () => {
  const { bearer, renewals } = createProvider(['old', 'new', 'newer']);
  const hasNewerToken = createTokenRenewal(bearer);
  expect(await Promise.all([hasNewerToken('old'), hasNewerToken('old'), hasNewerToken('old')])).toEqual([
    true,
    true,
    true,
  ]);
  expect(await hasNewerToken('old')).toBe(true);
  expect(renewals()).toBe(1);
});

test('gives up if the fresh token is rejected', async () => {
  const { bearer } = createProvider(['old', 'new', 'newer']);
  const hasNewerToken = createTokenRenewal(bearer);
  await hasNewerToken('old');
  expect(await hasNewerToken('new')).toBe(false);
});

test('renews again after the fresh token has expired', async () => {
  const { bearer } = createProvider(['old', 'new', 'newer']);
  let time = 0;
  const hasNewerToken = createTokenRenewal(bearer, () => time);
  await hasNewerToken('old');
  time = 3_600_000;
  expect(await hasNewerToken('new')).toBe(true);
});

test("gives up if the token can't be renewed or there is none", async () => {
  expect(await createTokenRenewal(async () => 'local')('local')).toBe(false);
  expect(await createTokenRenewal(async () => undefined)('old')).toBe(false);
});

test('rethrows a provider failure and renews the token at the next rejection', async () => {
  const { bearer } = createProvider(['old', 'new']);
  const hasNewerToken = createTokenRenewal(bearer);
  bearer
    .mockImplementationOnce(async () => 'old')
    .mockImplementationOnce(() => Promise.reject(new Error('no network')));
  await expect(hasNewerToken('old')).rejects.toThrow('no network');
  expect(await hasNewerToken('old')).toBe(true);
});
