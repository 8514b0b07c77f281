import { signInWithCredential } from 'firebase/auth';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { signInWithGoogle } from './popup.ts';

vi.mock('#src/net/server-info.ts', () => ({ serverInfo: async () => ({ identity: { emulator: true } }) }));
vi.mock('./identity.ts', () => ({ signInBy: (_by: string, enter: (auth: unknown) => Promise<unknown>) => enter({}) }));
vi.mock(import('firebase/auth'), async (original) => ({
  ...(await original()),
  signInWithCredential: vi.fn<typeof signInWithCredential>(),
}));

const chooser = { closed: false } as Window;
const credentialed = vi.mocked(signInWithCredential);

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(chooser, { closed: false });
  vi.spyOn(window, 'open').mockReturnValue(chooser);
  credentialed.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const answer = (more: Partial<MessageEventInit> = {}) =>
  window.dispatchEvent(
    new MessageEvent('message', {
      origin: window.location.origin,
      source: chooser,
      data: { type: 'quarterdeck:google-account', idToken: 'head.{}.seal' },
      ...more,
    }),
  );

it('signs in with the account that was chosen, also when its window is seen closed before its answer is heard', async () => {
  const signedIn = signInWithGoogle();
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(chooser, { closed: true });
  await vi.advanceTimersByTimeAsync(250);
  answer();
  await signedIn;
  expect(credentialed).toHaveBeenCalledOnce();
});

it('says that its window was closed without an answer', async () => {
  const signedIn = signInWithGoogle();
  const refusal = signedIn.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(chooser, { closed: true });
  await vi.advanceTimersByTimeAsync(500);
  expect(await refusal).toMatchObject({ code: 'auth/popup-closed-by-user' });
});

it('hears nobody but the window that it opened', async () => {
  const signedIn = signInWithGoogle();
  const refusal = signedIn.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  answer({ origin: 'https://evil.example' });
  answer({ source: window });
  answer({ data: { idToken: 'of another kind' } });
  Object.assign(chooser, { closed: true });
  await vi.advanceTimersByTimeAsync(500);
  expect(await refusal).toMatchObject({ code: 'auth/popup-closed-by-user' });
  expect(credentialed).not.toHaveBeenCalled();
});
