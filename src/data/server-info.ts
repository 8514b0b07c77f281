import { createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

import { isUnimplemented } from '#commands/core/errors';
import { ServerService } from '#proto/quarterdeck/server/v1/server_service_pb';

import { API_URL, FIREBASE, SENTRY_DSN } from '../config.ts';

export interface ServerInfo {
  readonly version: string;
  readonly identity: {
    readonly apiKey: string;
    readonly project: string;
    readonly authDomain?: string;
    readonly emulator: boolean;
  };
  readonly demo: boolean;
  readonly sentryDsn: string | undefined;
}

let known: Promise<ServerInfo> | undefined;

/** What the server tells before anyone has signed in. A server without our extension leaves it to the build's settings. */
export function serverInfo(): Promise<ServerInfo> {
  known ??= load().catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

async function load(): Promise<ServerInfo> {
  try {
    const info = await createClient(ServerService, createGrpcWebTransport({ baseUrl: API_URL })).info({});
    return {
      version: info.version,
      identity: {
        apiKey: info.identityProvider?.firebaseApiKey ?? '',
        project: info.identityProvider?.firebaseProject ?? '',
        ...(FIREBASE.authDomain ? { authDomain: FIREBASE.authDomain } : {}),
        emulator: info.identityProvider?.emulator ?? false,
      },
      demo: info.features?.demo ?? false,
      sentryDsn: info.sentryDsn || SENTRY_DSN,
    };
  } catch (error) {
    if (!isUnimplemented(error)) throw error;
    const { apiKey = '', project = '', authDomain } = FIREBASE;
    return {
      version: '',
      identity: { apiKey, project, ...(authDomain ? { authDomain } : {}), emulator: false },
      demo: false,
      sentryDsn: SENTRY_DSN,
    };
  }
}
