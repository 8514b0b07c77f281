import type { ServerResponse } from 'node:http';
import process from 'node:process';

import { Code, ConnectError } from '@connectrpc/connect';

import { describeError } from '#server/base/describe-error.ts';
import type { Log } from '#server/base/log.ts';
import { optionsHelp } from '#server/base/options.mjs';
import { listen } from '#server/http/connection/listener.ts';
import type { NodeHandlerFn } from '#server/http/connection/node.ts';
import { rejectRequest } from '#server/http/connection/rejection.ts';

import { announcement, type StartResult } from './announce.ts';
import { Cleanup } from './cleanup.ts';
import { claimDataFolder, clearDataFolder, loadSealingKey } from './data-folder.ts';
import type { Environment } from './environment.ts';
import { openIdentity } from './identity.ts';
import { logBug, openLog } from './log.ts';
import { readSettings, type Settings } from './settings.ts';
import { INTERRUPTED, waitForStop } from './signals.ts';

/**
 * Starts the server, serves until asked to stop, and then stops everything it started.
 *
 * @param argv the options, without the paths of Node and the script
 * @returns the exit code: 0 after a stop, otherwise the code from failures.ts
 */
export async function run(argv: readonly string[], environment: Environment): Promise<number> {
  const stop = waitForStop();
  const startedAt = performance.now();
  const log = openLog();
  const cleanup = new Cleanup();
  try {
    const settings = readSettings(argv, environment);
    if (settings.help) {
      process.stdout.write(`${optionsHelp()}\n`);
      return 0;
    }
    const startedServer = await Promise.race([start(settings, log, cleanup), stop]);
    // Stopped before the server was ready. The next startup recovers as it would after a kill.
    if (startedServer === undefined) return INTERRUPTED;
    process.stdout.write(announcement(settings, startedServer, (performance.now() - startedAt) / 1000));
    await stop;
  } catch (error) {
    await cleanup.run();
    const { explainFailure } = await import('./failures.ts');
    const explanation = explainFailure(error);
    if (explanation === undefined) {
      logBug(log, error);
      return 1;
    }
    process.stderr.write(`${explanation.message}\n`);
    return explanation.exitCode;
  }
  for (const failure of await cleanup.run())
    log.error("A resource couldn't be closed.", { error: describeError(failure) });
  return 0;
}

/**
 * Starts the server. Touches no data before holding the port and the lock of the data folder. The identity provider
 * takes the longest to load, so its process starts before most of the modules of the server are loaded.
 */
async function start(settings: Settings, log: Log, cleanup: Cleanup): Promise<StartResult> {
  const { config, host, port, dataFolder } = settings;
  let handler: NodeHandlerFn = notReady;
  const listener = await listen((request, response) => handler(request, response), host, port);
  cleanup.add(() => listener.close());
  cleanup.add(await claimDataFolder(dataFolder));
  if (settings.fresh) await clearDataFolder(dataFolder);
  const sealingKey = settings.sealingKey ?? (await loadSealingKey(dataFolder));
  const providerStart = new AbortController();
  cleanup.add(() => providerStart.abort());
  const openingIdentity = openIdentity(config, dataFolder, sealingKey, log, providerStart.signal);
  // If neither can be opened, as on a full disk, the database's failure is reported, regardless of which came first.
  openingIdentity.catch(() => undefined);
  const { openServer } = await import('./open-server.ts');
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`;
  const claims = { address, listener, sealingKey, openingIdentity, providerStart, log, cleanup };
  const server = await openServer(settings, claims);
  handler = server.handler;
  return { address, token: server.token };
}

const notReady: NodeHandlerFn = (request, response) => {
  (response as ServerResponse).setHeader('retry-after', '2');
  // A browser that connected too early reloads automatically.
  (response as ServerResponse).setHeader('refresh', '2');
  rejectRequest(request, response, new ConnectError('Quarterdeck is starting.', Code.Unavailable));
};
