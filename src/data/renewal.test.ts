import { expect, it, vi } from 'vitest';

import { createRenewal } from './renewal.ts';

/** An identity provider: its token grows old, and it makes another one when asked. */
function provider(tokens: readonly string[]) {
  let at = 0;
  const bearer = vi.fn<(fresh: boolean) => Promise<string | undefined>>(async (fresh) => {
    if (fresh) at = Math.min(at + 1, tokens.length - 1);
    return tokens[at];
  });
  const made = () => bearer.mock.calls.filter(([fresh]) => fresh).length;
  return { bearer, made };
}

it('tries again with a fresh bearer', async () => {
  const { bearer, made } = provider(['old', 'new']);
  expect(await createRenewal(bearer)('old')).toBe(true);
  expect(made()).toBe(1);
});

it('makes one fresh bearer for all calls that were refused at once, and none for one that was refused late', async () => {
  const { bearer, made } = provider(['old', 'new', 'newer']);
  const renewed = createRenewal(bearer);
  expect(await Promise.all([renewed('old'), renewed('old'), renewed('old')])).toEqual([true, true, true]);
  expect(await renewed('old')).toBe(true);
  expect(made()).toBe(1);
});

it('gives up when the fresh one is refused too', async () => {
  const { bearer } = provider(['old', 'new', 'newer']);
  const renewed = createRenewal(bearer);
  await renewed('old');
  expect(await renewed('new')).toBe(false);
});

it('begins anew once the fresh one has grown old', async () => {
  const { bearer } = provider(['old', 'new', 'newer']);
  let now = 0;
  const renewed = createRenewal(bearer, () => now);
  await renewed('old');
  now = 3_600_000;
  expect(await renewed('new')).toBe(true);
});

it('gives up for a token that nobody can renew, and for nobody', async () => {
  expect(await createRenewal(async () => 'local')('local')).toBe(false);
  expect(await createRenewal(async () => undefined)('old')).toBe(false);
});

it('passes on that the provider failed, and asks it again next time', async () => {
  const { bearer } = provider(['old', 'new']);
  const renewed = createRenewal(bearer);
  bearer
    .mockImplementationOnce(async () => 'old')
    .mockImplementationOnce(() => Promise.reject(new Error('no network')));
  await expect(renewed('old')).rejects.toThrow('no network');
  expect(await renewed('old')).toBe(true);
});
