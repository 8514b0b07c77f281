import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { olga, startTestProvider, type TestProvider } from '#server/testkit/identity-provider.ts';

let provider: TestProvider;

beforeAll(async () => {
  provider = await startTestProvider();
}, 60_000);
afterAll(() => provider.close());

/** Posts the form, or fetches the page if there is no form. */
async function loadPage(form?: Record<string, string>): Promise<{ status: number; text: string }> {
  const url = `http://127.0.0.1:${provider.port}/emulator/auth/handler`;
  const init = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text() };
}
const idTokenIn = (text: string) => /data-id-token="([^"]+)"/.exec(text)?.[1];
const signInWith = (providerId: string, idToken = '') =>
  provider.call('v1/accounts:signInWithIdp', {
    requestUri: 'http://localhost',
    postBody: new URLSearchParams({ id_token: idToken, providerId }).toString(),
    returnSecureToken: true,
  });

describe('a demo Google account', () => {
  test('is created in a form, signs in, and is offered next time', async () => {
    expect((await loadPage()).text).not.toContain('name="account"');
    const signedInPage = await loadPage({ email: ' Gina@Example.com ', name: '<b>Gina</b>' });
    const { idToken = '' } = await signInWith('google.com', idTokenIn(signedInPage.text));
    expect(decodeJwt(idToken)).toMatchObject({
      email: 'gina@example.com',
      email_verified: true,
      firebase: { sign_in_provider: 'google.com' },
    });
    const chooser = (await loadPage()).text;
    expect(chooser).toContain('name="account" value="gina@example.com"');
    expect(chooser).toContain('&lt;b&gt;Gina&lt;/b&gt;');
    const secondSignIn = await signInWith(
      'google.com',
      idTokenIn((await loadPage({ account: 'gina@example.com' })).text),
    );
    expect(decodeJwt(secondSignIn.idToken ?? '').sub).toBe(decodeJwt(idToken).sub);
  });

  test('signs in the user with the same verified address', async () => {
    const { text } = await loadPage({ email: olga.email, name: '' });
    expect(decodeJwt((await signInWith('google.com', idTokenIn(text))).idToken ?? '').sub).toBe(olga.id);
  });

  test('requires a valid address and keeps an invalid one in the form', async () => {
    const { status, text } = await loadPage({ email: '"><script>', name: 'Gina' });
    expect(status).toBe(400);
    expect(text).toContain('role="alert"');
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(idTokenIn(text)).toBeUndefined();
  });

  test('does not work for other providers', async () => {
    const { text } = await loadPage({ email: 'gina@example.com' });
    for (const id of ['facebook.com', 'saml.own', 'apple.com']) {
      expect((await signInWith(id, idTokenIn(text))).error?.message).toContain('OPERATION_NOT_ALLOWED');
    }
  });
});
