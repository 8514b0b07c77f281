import { use } from 'react';

import { report } from '#src/net/report.ts';
import { loadServerInfo, type ServerInfo } from '#src/net/server-info.ts';

let cachedInfo: Promise<ServerInfo | undefined> | undefined;

/** Returns the server's public information, or undefined if the request failed. Screens then assume defaults. */
export function useServerInfo(): ServerInfo | undefined {
  cachedInfo ??= loadServerInfo().catch((error: unknown) => {
    report(error);
    return undefined;
  });
  return use(cachedInfo);
}
