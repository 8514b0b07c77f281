import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cli } from '#commands/cli/cli.ts';
import { registry } from '#commands/nouns/all.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { listen } from '#server/http/connection/listener.ts';
import { createHandler } from '#server/http/handler.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { testIo, type TestIo } from './io.ts';

type Person = Parameters<TestServer['as']>[0];
type IoOptions = Parameters<typeof testIo>[0];
/** Receives the fake terminal, so a command can interrupt its own run. */
type OnStart = (io: TestIo) => void;

/** A real server on its own port, with a CLI for each user. */
export interface Terminals {
  readonly url: string;
  /** The folder for logins and histories. */
  readonly folder: string;
  readonly server: TestServer;
  /** Runs a line, split into words, as the given user. Resolves to the exit code and the output. */
  run(
    person: Person,
    argv: readonly string[],
    options?: IoOptions,
    registry?: Registry,
    onStart?: OnStart,
  ): Promise<RunResult>;
  close(): Promise<void>;
}

export interface RunResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly prompts: readonly string[];
  /** The prompts with hidden answers. */
  readonly hiddenPrompts: readonly string[];
}

export async function startTerminals(): Promise<Terminals> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-cli-'));
  writeFileSync(join(folder, 'index.html'), '');
  const shutdown = new AbortController();
  const server = await startTestServer();
  const handler = createHandler(server.app, {
    consoleFolder: folder,
    identityPort: undefined,
    shutdown: shutdown.signal,
  });
  const listener = await listen(handler, '127.0.0.1', 0);
  const url = `http://127.0.0.1:${listener.port}`;
  return {
    url,
    folder,
    server,
    async run(person, argv, { env, ...options } = {}, commands = registry, onStart) {
      const defaults = {
        QUARTERDECK_SERVER: url,
        QUARTERDECK_TOKEN: server.as(person).bearer,
        XDG_CONFIG_HOME: folder,
      };
      const io = testIo({ ...options, env: { ...defaults, ...env } });
      onStart?.(io);
      const code = await cli(argv, io, commands);
      return { code, out: io.stdout(), err: io.stderr(), prompts: io.prompts, hiddenPrompts: io.hiddenPrompts };
    },
    async close() {
      shutdown.abort();
      await listener.close();
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
