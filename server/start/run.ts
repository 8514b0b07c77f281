import type { ServerResponse } from 'node:http';
import process from 'node:process';
import { Code, ConnectError } from '@connectrpc/connect';
import type { App } from '#server/app/app.ts';
import { connectEventSinks } from './event-sinks.ts';
import { openEventBus } from '#server/events/bus.ts';
import { startHappenings } from './background.ts';
import { createHandler } from '#server/http/handler.ts';
import { localHelpDesk } from '#server/http/pages/help-desk.ts';
import { listen } from '#server/http/connection/listener.ts';
import type { NodeHandlerFn } from '#server/http/connection/node.ts';
import { refuse } from '#server/http/connection/refusal.ts';
import { sendNotice } from '#server/demo/identity/notices.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { createLog, type Log } from '#server/base/log.ts';
import { loggable } from '#server/base/loggable.ts';
import { startMail } from '#server/mail/start.ts';
import { optionsHelp } from '#server/base/options.mjs';
import { consoleFolder } from '#server/base/paths.ts';
import { createSealer } from '#server/base/secrets.ts';
import { openActivityLog } from '#server/app/activity.ts';
import { announcement, type Started } from './announce.ts';
import { Closing } from './closing.ts';
import { claim, empty, sealingKeyIn } from './data-folder.ts';
import { openData } from './data.ts';
import { explained } from './failures.ts';
import { firstOrganizationToken } from './first-organization.ts';
import { openIdentity } from './identity.ts';
import { type Environment, readSettings, type Settings } from './settings.ts';
import { INTERRUPTED, stopAsked } from './signals.ts';

/**
 * Starts the server, serves until asked to stop, and ends everything it started.
 *
 * @param argv options, without Node and script
 * @returns the exit code: 0 after a stop, otherwise what failures.ts says
 */
export async function run(argv: readonly string[], environment: Environment): Promise<number> {
  const stop = stopAsked();
  const began = performance.now();
  const log = createLog(process.stderr.isTTY ? 'pretty' : 'json', (line) => void process.stderr.write(line));
  const closing = new Closing();
  try {
    const settings = readSettings(argv, environment);
    if (settings.help) {
      process.stdout.write(`${optionsHelp()}\n`);
      return 0;
    }
    const started = await Promise.race([start(settings, log, closing), stop]);
    // Stopped before it was ready: nothing is served yet, and the next start copes with what a kill leaves behind.
    if (started === undefined) return INTERRUPTED;
    process.stdout.write(announcement(settings, started, (performance.now() - began) / 1000));
    await stop;
  } catch (error) {
    await closing.all();
    const known = explained(error);
    if (known === undefined) {
      // A defect. Node itself would print the whole error, with the parameters of a statement in it.
      const stack =
        error instanceof Error
          ? error.stack
              ?.split('\n')
              .filter((line) => /^\s+at /.test(line))
              .join(' <')
          : '';
      log.error('The server could not start.', { error: loggable(error), stack });
      return 1;
    }
    process.stderr.write(`${known.sentence}\n`);
    return known.exitCode;
  }
  for (const failure of await closing.all()) log.error('not closed', { error: loggable(failure) });
  return 0;
}

/**
 * Nothing of the data is touched before the port is ours and the data folder is claimed. Database and identity provider
 * start at the same time, as each takes seconds.
 */
async function start(settings: Settings, log: Log, closing: Closing): Promise<Started> {
  const { config, host, port, dataFolder } = settings;
  let handler: NodeHandlerFn = notReady;
  const listener = await listen((request, response) => handler(request, response), host, port);
  closing.add(() => listener.close());
  closing.add(await claim(dataFolder));
  if (settings.fresh) await empty(dataFolder);
  const sealingKey = settings.sealingKey ?? (await sealingKeyIn(dataFolder));
  const secrets = createSealer(sealingKey);
  connectEventSinks();

  const abandoned = new AbortController();
  const opening = [
    closing.opened(openData(settings, secrets, log)),
    closing.opened(openIdentity(config, dataFolder, sealingKey, log, abandoned.signal)),
  ] as const;
  // When the database cannot be opened, nobody waits for the provider.
  closing.add(() => abandoned.abort());
  const [db, identity] = await Promise.all(opening);
  const bus = await closing.opened(openEventBus(db, log));
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${listener.port}`;
  const now = () => new Date();
  const activity = openActivityLog({ db, log, now });
  closing.add(() => activity.close());
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
    now,
  };
  identity.onNotice((notice) => void sendNotice(app, notice));
  await closing.opened(startHappenings(app, { rate: config.rate }));
  await closing.opened(startMail(app));
  await closing.opened(startJobs(app));

  const shutdown = new AbortController();
  handler = createHandler(app, { consoleFolder, identityPort: identity.port, shutdown: shutdown.signal });
  // First to end from here on: streams are told, then calls in progress finish while everything they need is there.
  closing.add(() => listener.close());
  closing.add(() => shutdown.abort());
  return { address, token: await firstOrganizationToken(db, config, now()) };
}

const notReady: NodeHandlerFn = (request, response) => {
  (response as ServerResponse).setHeader('retry-after', '2');
  refuse(request, response, new ConnectError('Quarterdeck is starting.', Code.Unavailable));
};
