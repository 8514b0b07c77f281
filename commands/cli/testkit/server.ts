import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createHandler } from '#server/http/handler.ts';
import { listen } from '#server/http/connection/listener.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { registry } from '#commands/nouns/all.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { cli } from '#commands/cli/cli.ts';
import { testIo, type TestIo } from './io.ts';

type Person = Parameters<TestServer['as']>[0];
type Given = Parameters<typeof testIo>[0];
/** Gets hold of the terminal, to interrupt the run from inside it. */
type OnStart = (io: TestIo) => void;

/** The real server on a port of its own, and the command line of people who use it. */
export interface Terminals {
  readonly url: string;
  /** Where logins and histories are. */
  readonly folder: string;
  readonly t: TestServer;
  /** Runs a line's words as that person; resolves to the exit code and what was printed. */
  run(person: Person, argv: readonly string[], given?: Given, registry?: Registry, onStart?: OnStart): Promise<Ran>;
  close(): Promise<void>;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The questions that were asked, and those whose answers were not echoed. */
  readonly asked: readonly string[];
  readonly hidden: readonly string[];
}

export async function startTerminals(): Promise<Terminals> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-cli-'));
  writeFileSync(join(folder, 'index.html'), '');
  const stopping = new AbortController();
  const t = await startTestServer();
  const handler = createHandler(t.app, { consoleFolder: folder, identityPort: undefined, shutdown: stopping.signal });
  const server = await listen(handler, '127.0.0.1', 0);
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    folder,
    t,
    async run(person, argv, { env, ...given } = {}, known = registry, onStart) {
      const own = { QUARTERDECK_SERVER: url, QUARTERDECK_TOKEN: t.as(person).bearer, XDG_CONFIG_HOME: folder };
      const io = testIo({ ...given, env: { ...own, ...env } });
      onStart?.(io);
      const code = await cli(argv, io, known);
      return { code, out: io.stdout(), err: io.stderr(), asked: io.asked, hidden: io.hidden };
    },
    async close() {
      stopping.abort();
      await server.close();
      await t.close();
      rmSync(folder, { recursive: true });
    },
  };
}
