import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Secret, TOTP } from 'otpauth';

import type { SignInMethod } from '#server/base/config.ts';
import type { EmulatorPerson, Notice } from '#server/demo/identity/emulator/messages.ts';
import { startIdentityProvider } from '#server/demo/identity/provider.ts';

/** A response of the provider, with the fields that tests check. */
export interface ProviderResponse {
  [field: string]: unknown;
  readonly idToken?: string;
  readonly refreshToken?: string;
  readonly mfaPendingCredential?: string;
  readonly mfaInfo?: { mfaEnrollmentId: string; displayName?: string; totpInfo?: object; phoneInfo?: string }[];
  readonly error?: { message: string };
}

/** The embedded provider in its own process, called as the SDK calls it. */
export interface TestProvider {
  readonly port: number;
  /**
   * Calls an operation of the provider's API.
   *
   * @param operation as in `v1/accounts:signUp`
   */
  call(operation: string, body: object): Promise<ProviderResponse>;
  /**
   * Waits for a notice of the given kind from the provider.
   *
   * @returns the code of the last such notice
   */
  waitForCode(kind: Notice['kind']): Promise<string>;
  readonly notices: readonly Notice[];
  /** Ends the process and starts another with the same folder. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const olga = { id: 'user-olga', email: 'olga@example.com', name: 'Olga', password: 'Correct-horse-1' };

/** Starts a provider, by default with an account for Olga. Takes two seconds. */
export async function startTestProvider(
  people: readonly EmulatorPerson[] = [olga],
  signIn: readonly SignInMethod[] = ['password', 'google'],
): Promise<TestProvider> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-identity-'));
  const sealingKey = randomBytes(32);
  const notices: Notice[] = [];
  const resolvers: (() => void)[] = [];
  const start = async () => {
    const options = { project: 'demo-test', people, folder, sealingKey, signIn: new Set(signIn) };
    const provider = await startIdentityProvider(options);
    provider.onNotice((notice) => {
      notices.push(notice);
      resolvers.splice(0).forEach((resolve) => resolve());
    });
    return provider;
  };
  let provider = await start();
  return {
    get port() {
      return provider.port;
    },
    notices,
    async call(operation, body) {
      const host = operation === 'v1/token' ? 'securetoken.googleapis.com' : 'identitytoolkit.googleapis.com';
      const response = await fetch(`http://127.0.0.1:${provider.port}/${host}/${operation}?key=any`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as ProviderResponse;
    },
    async waitForCode(kind) {
      for (;;) {
        const index = notices.findLastIndex((notice) => notice.kind === kind);
        const [notice] = index < 0 ? [] : notices.splice(index, 1);
        if (notice !== undefined) return notice.code;
        await new Promise<void>((resolve) => resolvers.push(resolve));
      }
    },
    async restart() {
      await provider.close();
      provider = await start();
    },
    async close() {
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns a code from an authenticator app.
 *
 * @param stepsAhead the number of half-minute steps from now; each code works only once, but codes for the next step
 *   are already accepted
 */
export const totpCode = (secret: string, stepsAhead = 0): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + stepsAhead * 30_000 });
