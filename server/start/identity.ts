import { join } from 'node:path';

import type { ServerConfig } from '#server/base/config.ts';
import type { Log } from '#server/base/log.ts';
import { consoleFolder } from '#server/base/paths.ts';
import type { Notice } from '#server/demo/identity/emulator/messages.ts';
import { startIdentityProvider } from '#server/demo/identity/provider.ts';
import { unsecuredVerifier } from '#server/demo/identity/unsecured.ts';
import { demoPeople } from '#server/demo/seed/people.ts';
import { consoleAssets } from '#server/http/pages/page.ts';
import type { IdentityAccounts } from '#server/identity/accounts.ts';
import { googleVerifier } from '#server/identity/google.ts';
import { GOOGLE_IDENTITY_TOOLKIT, restAccounts } from '#server/identity/rest-accounts.ts';
import type { IdentityVerifier } from '#server/identity/verifier.ts';

export interface Identity {
  readonly verifier: IdentityVerifier;
  readonly accounts: IdentityAccounts;
  /** The loopback port of the embedded provider; undefined if Google signs users in. */
  readonly port: number | undefined;
  /** Calls the listener for each of the embedded provider's notices to users; Google sends such notices itself. */
  onNotice(listener: (notice: Notice) => void): void;
  close(): Promise<void>;
}

/** Opens Google's verifier, or the embedded provider with the demo's users and the verifier that trusts it. */
export async function openIdentity(
  { identity: { kind, project, apiKey }, signIn }: Pick<ServerConfig, 'identity' | 'signIn'>,
  dataFolder: string,
  sealingKey: Buffer,
  log: Log,
  signal: AbortSignal,
): Promise<Identity> {
  if (kind === 'google') {
    const accounts = restAccounts(GOOGLE_IDENTITY_TOOLKIT, apiKey);
    const doNothing = (): void => undefined;
    return {
      verifier: googleVerifier(project),
      accounts,
      port: undefined,
      onNotice: doNothing,
      close: async () => doNothing(),
    };
  }
  const folder = join(dataFolder, 'identity');
  const { stylesheets } = consoleAssets(consoleFolder);
  const provider = await startIdentityProvider({
    project,
    people: demoPeople,
    signIn,
    stylesheets,
    folder,
    sealingKey,
    signal,
  });
  void provider.unexpectedExit.then((reason) =>
    log.error('The identity provider stopped. Restart the server so users can sign in.', { reason }),
  );
  provider.onNotSaved((reason) =>
    log.error("Accounts can't be saved, so nobody can sign in or change an account.", { reason }),
  );
  return {
    verifier: unsecuredVerifier(project),
    accounts: restAccounts(`http://127.0.0.1:${provider.port}/identitytoolkit.googleapis.com`, apiKey),
    port: provider.port,
    onNotice: (listener) => provider.onNotice(listener),
    close: () => provider.close(),
  };
}
