import { createClient } from '@connectrpc/connect';

import { isUnimplemented } from '#commands/model/errors.ts';
import { ServerService } from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';

import { FIREBASE, SENTRY_DSN } from './config.ts';
import { setPing } from './reach.ts';
import { openTransport } from './wire.ts';

export interface ServerInfo {
  readonly version: string;
  readonly identity: {
    readonly apiKey: string;
    readonly project: string;
    /** The host of the Google sign-in window. */
    readonly authDomain: string;
    readonly emulator: boolean;
  };
  /** The sign-in methods of this installation. */
  readonly signIn: {
    readonly password: boolean;
    readonly token: boolean;
    readonly google: boolean;
    /** The URL that lists unsent emails. Empty if the server sends its emails. */
    readonly outbox: string;
    /** The URL of the help desk with single sign-on. Empty if there is none. */
    readonly helpDesk: string;
  };
  readonly demo: boolean;
  readonly sentryDsn: string | undefined;
}

/** All sign-in methods in spec 6, for a server that does not report its own. */
export const ALL_METHODS: ServerInfo['signIn'] = {
  password: true,
  token: true,
  google: true,
  outbox: '',
  helpDesk: '',
};

const requestInfo = (signal?: AbortSignal) =>
  createClient(ServerService, openTransport()).info({}, signal ? { signal } : {});

setPing(async (signal) => {
  try {
    await requestInfo(signal);
  } catch (error) {
    // A server without our extension also responds, so it is reachable.
    if (!isUnimplemented(error)) throw error;
  }
});

let cachedInfo: Promise<ServerInfo> | undefined;

/**
 * Loads and caches the server's public information. For a server without our extension, returns the settings from the
 * build.
 */
export function loadServerInfo(): Promise<ServerInfo> {
  cachedInfo ??= load().catch((error: unknown) => {
    cachedInfo = undefined;
    throw error;
  });
  return cachedInfo;
}

/** Returns a project's auth domain. Firebase gives each project one, which the build can override. */
const authDomainOf = (project: string): string => FIREBASE.authDomain || `${project}.firebaseapp.com`;

async function load(): Promise<ServerInfo> {
  try {
    const info = await requestInfo();
    return {
      version: info.version,
      identity: {
        apiKey: info.identityProvider?.firebaseApiKey ?? '',
        project: info.identityProvider?.firebaseProject ?? '',
        authDomain: authDomainOf(info.identityProvider?.firebaseProject ?? ''),
        emulator: info.identityProvider?.emulator ?? false,
      },
      signIn: info.signIn ?? ALL_METHODS,
      demo: info.features?.demo ?? false,
      sentryDsn: info.sentryDsn || SENTRY_DSN,
    };
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
    const { apiKey = '', project = '' } = FIREBASE;
    return {
      version: '',
      identity: { apiKey, project, authDomain: authDomainOf(project), emulator: false },
      signIn: ALL_METHODS,
      demo: false,
      sentryDsn: SENTRY_DSN,
    };
  }
}
