import { createClient } from '@connectrpc/connect';

import { isUnimplemented } from '#commands/model/errors.ts';
import { ServerService } from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';

import { FIREBASE, SENTRY_DSN } from './config.ts';
import { tryBy } from './reach.ts';
import { openTransport } from './wire.ts';

export interface ServerInfo {
  readonly version: string;
  readonly identity: {
    readonly apiKey: string;
    readonly project: string;
    /** Where the window of a Google sign-in is served. */
    readonly authDomain: string;
    readonly emulator: boolean;
  };
  /** The ways in that this installation offers. */
  readonly signIn: {
    readonly password: boolean;
    readonly token: boolean;
    readonly google: boolean;
    /** Where mails are shown that are not sent; empty where they are sent. */
    readonly outbox: string;
    /** The support desk that the server signs people in to; empty where there is none. */
    readonly helpDesk: string;
  };
  readonly demo: boolean;
  readonly sentryDsn: string | undefined;
}

/** Of a server that does not say: the capabilities of spec 6. */
export const EVERY_WAY: ServerInfo['signIn'] = { password: true, token: true, google: true, outbox: '', helpDesk: '' };

const ask = (signal?: AbortSignal) => createClient(ServerService, openTransport()).info({}, signal ? { signal } : {});

tryBy(async (signal) => {
  try {
    await ask(signal);
  } catch (error) {
    // Another server of the contract answers, though it does not know the question.
    if (!isUnimplemented(error)) throw error;
  }
});

let known: Promise<ServerInfo> | undefined;

/**
 * What the server tells before anyone has signed in. A server without our extension leaves it to the build's
 * settings.
 */
export function serverInfo(): Promise<ServerInfo> {
  known ??= load().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Firebase gives each project one; the build may name another. */
const authDomainOf = (project: string): string => FIREBASE.authDomain || `${project}.firebaseapp.com`;

async function load(): Promise<ServerInfo> {
  try {
    const info = await ask();
    return {
      version: info.version,
      identity: {
        apiKey: info.identityProvider?.firebaseApiKey ?? '',
        project: info.identityProvider?.firebaseProject ?? '',
        authDomain: authDomainOf(info.identityProvider?.firebaseProject ?? ''),
        emulator: info.identityProvider?.emulator ?? false,
      },
      signIn: info.signIn ?? EVERY_WAY,
      demo: info.features?.demo ?? false,
      sentryDsn: info.sentryDsn || SENTRY_DSN,
    };
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
    const { apiKey = '', project = '' } = FIREBASE;
    return {
      version: '',
      identity: { apiKey, project, authDomain: authDomainOf(project), emulator: false },
      signIn: EVERY_WAY,
      demo: false,
      sentryDsn: SENTRY_DSN,
    };
  }
}
