import { openActivityLog } from '#server/app/activity.ts';
import type { App } from '#server/app/app.ts';
import type { Log } from '#server/base/log.ts';
import { consoleFolder } from '#server/base/paths.ts';
import { createSealer } from '#server/base/secrets.ts';
import { findRootOrganization } from '#server/db/root-organization.ts';
import { sendNotice } from '#server/demo/identity/notices.ts';
import { openEventBus } from '#server/events/bus.ts';
import type { Listener } from '#server/http/connection/listener.ts';
import type { NodeHandlerFn } from '#server/http/connection/node.ts';
import { createHandler } from '#server/http/handler.ts';
import { localHelpDesk } from '#server/http/pages/help-desk.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import { startEmailDelivery } from '#server/mail/start.ts';
import { openParsing } from '#server/parsing/parsing.ts';

import { startBackgroundWorkers } from './background.ts';
import type { Cleanup } from './cleanup.ts';
import { createData } from './data-creation.ts';
import { dataSettings, openData } from './data.ts';
import { connectEventSinks } from './event-sinks.ts';
import { issueFirstOrganizationToken } from './first-organization.ts';
import type { Identity } from './identity.ts';
import type { Settings } from './settings.ts';

/** What the start has claimed and begun (run.ts). */
interface Claims {
  /** The URL of the console. */
  readonly address: string;
  readonly listener: Pick<Listener, 'close'>;
  readonly sealingKey: Buffer;
  readonly openingIdentity: Promise<Identity>;
  /** Stops the identity provider while it starts. */
  readonly providerStart: AbortController;
  readonly log: Log;
  readonly cleanup: Cleanup;
}

/** An open server, which serves as soon as its handler gets the requests. */
interface OpenServer {
  readonly handler: NodeHandlerFn;
  /** The secret token for creating the first organization. Undefined if there already is one. */
  readonly token: string | undefined;
}

/**
 * Opens the database and everything that works on it. This module and what it imports take about a second to load, so
 * run.ts imports it only once the identity provider is loading too.
 */
export async function openServer(
  settings: Settings,
  { address, listener, sealingKey, openingIdentity, providerStart, log, cleanup }: Claims,
): Promise<OpenServer> {
  const { config } = settings;
  const secrets = createSealer(sealingKey);
  connectEventSinks();

  const data = dataSettings(settings);
  const openingData = cleanup.closeOnceOpen(createData(data, sealingKey).then(() => openData(data, secrets, log)));
  // The provider closes before the database. If the database can't be opened, don't wait for the provider.
  cleanup.closeOnceOpen(openingIdentity).catch(() => undefined);
  cleanup.add(() => providerStart.abort());
  const db = await openingData;
  const identity = await openingIdentity;
  const bus = await cleanup.closeOnceOpen(openEventBus(db, log));
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
  // From here on, the listener closes first. Streams end, and then running calls finish while their resources are still
  // open.
  cleanup.add(() => listener.close());
  cleanup.add(() => shutdown.abort());
  return {
    handler: createHandler(app, { consoleFolder, identityPort: identity.port, shutdown: shutdown.signal }),
    token: await issueFirstOrganizationToken(db, config, now()),
  };
}
