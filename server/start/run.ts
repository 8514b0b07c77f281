import type { ServerResponse } from 'node:http';
import process from 'node:process';

import { Code, ConnectError } from '@connectrpc/connect';

import { openActivityLog } from '#server/app/activity.ts';
import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';
import type { Log } from '#server/base/log.ts';
import { optionsHelp } from '#server/base/options.mjs';
import { consoleFolder } from '#server/base/paths.ts';
import { createSealer } from '#server/base/secrets.ts';
import { findRootOrganization } from '#server/db/root-organization.ts';
import { sendNotice } from '#server/demo/identity/notices.ts';
import { openEventBus } from '#server/events/bus.ts';
import { listen } from '#server/http/connection/listener.ts';
import type { NodeHandlerFn } from '#server/http/connection/node.ts';
import { rejectRequest } from '#server/http/connection/rejection.ts';
import { createHandler } from '#server/http/handler.ts';
import { localHelpDesk } from '#server/http/pages/help-desk.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { startEmailDelivery } from '#server/mail/start.ts';
import { openParsing } from '#server/parsing/parsing.ts';

import { announcement, type StartResult } from './announce.ts';
import { startBackgroundWorkers } from './background.ts';
import { Cleanup } from './cleanup.ts';
import { createData } from './data-creation.ts';
import { claimDataFolder, clearDataFolder, loadSealingKey } from './data-folder.ts';
import { dataSettings, openData } from './data.ts';
import type { Environment } from './environment.ts';
import { connectEventSinks } from './event-sinks.ts';
import { explainFailure } from './failures.ts';
import { issueFirstOrganizationToken } from './first-organization.ts';
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
 * Starts the server. Touches no data before holding the port and the lock of the data folder. Starts the database and
 * the identity provider concurrently because each takes seconds.
 */
async function start(settings: Settings, log: Log, cleanup: Cleanup): Promise<StartResult> {
  const { config, host, port, dataFolder } = settings;
  let handler: NodeHandlerFn = notReady;
  const listener = await listen((request, response) => handler(request, response), host, port);
  cleanup.add(() => listener.close());
  cleanup.add(await claimDataFolder(dataFolder));
  if (settings.fresh) await clearDataFolder(dataFolder);
  const sealingKey = settings.sealingKey ?? (await loadSealingKey(dataFolder));
  const secrets = createSealer(sealingKey);
  connectEventSinks();

  const data = dataSettings(settings);
  const providerStart = new AbortController();
  const openingData = cleanup.closeOnceOpen(createData(data, sealingKey).then(() => openData(data, secrets, log)));
  const openingIdentity = cleanup.closeOnceOpen(
    openIdentity(config, dataFolder, sealingKey, log, providerStart.signal),
  );
  // If the database can't be opened, don't wait for the provider. If neither can be opened, as on a full disk, report
  // the database's failure, regardless of which came first.
  cleanup.add(() => providerStart.abort());
  openingIdentity.catch(() => undefined);
  const db = await openingData;
  const identity = await openingIdentity;
  const bus = await cleanup.closeOnceOpen(openEventBus(db, log));
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`;
  const now = () => new Date();
  const activity = openActivityLog({ db, log, now });
  cleanup.add(() => activity.close());
  const parsing = openParsing((organization) => findRootOrganization(db.orm, organization));
  cleanup.add(() => parsing.close());
  const origin = config.origin || address;
  const app: App = {
    config: { ...config, origin, helpDesk: config.helpDesk ?? (config.demo ? localHelpDesk(origin) : undefined) },
    db,
    bus,
    identity: identity.verifier,
    accounts: identity.accounts,
    secrets,
    log,
    activity,
    parsing,
    now,
  };
  identity.onNotice((notice) => void sendNotice(app, notice));
  await cleanup.closeOnceOpen(startBackgroundWorkers(app, { rate: config.rate }));
  await cleanup.closeOnceOpen(startEmailDelivery(app));
  await cleanup.closeOnceOpen(startJobs(app));

  const shutdown = new AbortController();
  handler = createHandler(app, { consoleFolder, identityPort: identity.port, shutdown: shutdown.signal });
  // From here on, the listener closes first. Streams end, and then running calls finish while their resources are still
  // open.
  cleanup.add(() => listener.close());
  cleanup.add(() => shutdown.abort());
  return { address, token: await issueFirstOrganizationToken(db, config, now()) };
}

const notReady: NodeHandlerFn = (request, response) => {
  (response as ServerResponse).setHeader('retry-after', '2');
  // A browser that connected too early reloads automatically.
  (response as ServerResponse).setHeader('refresh', '2');
  rejectRequest(request, response, new ConnectError('Quarterdeck is starting.', Code.Unavailable));
};
