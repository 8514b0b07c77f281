import { use } from 'react';

import { report } from '#src/net/report.ts';
import { serverInfo, type ServerInfo } from '#src/net/server-info.ts';

let cached: Promise<ServerInfo | undefined> | undefined;

/** Returns the server's public information; undefined if the request failed, in which case screens assume defaults. */
export function useServerInfo(): ServerInfo | undefined {
  cached ??= serverInfo().catch((error: unknown) => {
    report(error);
    return undefined;
  });
  return use(cached);
}
