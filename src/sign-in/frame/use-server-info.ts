import { use } from 'react';

import { report } from '#src/net/report.ts';
import { serverInfo, type ServerInfo } from '#src/net/server-info.ts';

let asked: Promise<ServerInfo | undefined> | undefined;

/** What the server offers. Undefined where it did not say: then the screens show what every server has. */
export function useServerInfo(): ServerInfo | undefined {
  asked ??= serverInfo().catch((error: unknown) => {
    report(error);
    return undefined;
  });
  return use(asked);
}
