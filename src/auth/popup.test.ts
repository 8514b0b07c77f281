import { signInWithCredential } from 'firebase/auth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { signInWithGoogle } from './popup.ts';

vi.mock('#src/net/server-info.ts', () => ({ loadServerInfo: async () => ({ identity: { emulator: true } }) }));
vi.mock('./identity.ts', () => ({
  signInBy: (_arrival: string, task: (auth: unknown) => Promise<unknown>) => task({}),
}));
vi.mock(import('firebase/auth'), async (original) => ({
  ...(await original()),
  signInWithCredential: vi.fn<typeof signInWithCredential>(),
}));

const chooser = { closed: false } as Window;
const signIn = vi.mocked(signInWithCredential);

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(chooser, { closed: false });
  vi.spyOn(window, 'open').mockReturnValue(chooser);
  signIn.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const postAccount = (overrides: Partial<MessageEventInit> = {}) =>
  window.dispatchEvent(
    new MessageEvent('message', {
      origin: window.location.origin,
      source: chooser,
      data: { type: 'quarterdeck:google-account', idToken: 'header.{}.signature' },
      ...overrides,
    }),
  );

test('signs in with the chosen account, even if the window closes before its message arrives', async () => {
  const signedIn = signInWithGoogle();
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(chooser, { closed: true });
  await vi.advanceTimersByTimeAsync(250);
  postAccount();
  await signedIn;
  expect(signIn).toHaveBeenCalledOnce();
});

test('reports that the window was closed without a response', async () => {
  const signedIn = signInWithGoogle();
  const failure = signedIn.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(chooser, { closed: true });
  await vi.advanceTimersByTimeAsync(500);
  expect(await failure).toMatchObject({ code: 'auth/popup-closed-by-user' });
});

test('accepts messages only from the window it opened', async () => {
  const signedIn = signInWithGoogle();
  const failure = signedIn.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  postAccount({ origin: 'https://evil.example' });
  postAccount({ source: window });
  postAccount({ data: { idToken: 'unrelated' } });
  Object.assign(chooser, { closed: true });
  await vi.advanceTimersByTimeAsync(500);
  expect(await failure).toMatchObject({ code: 'auth/popup-closed-by-user' });
  expect(signIn).not.toHaveBeenCalled();
});
