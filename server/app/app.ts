import type { ServerConfig } from '#server/base/config.ts';
import type { Database } from '#server/db/database.ts';
import type { EventBus } from '#server/events/bus.ts';
import type { IdentityAccounts } from '#server/identity/accounts.ts';
import type { IdentityVerifier } from '#server/identity/verifier.ts';
import type { Log } from '#server/base/log.ts';
import type { Sealer } from '#server/base/secrets.ts';
import type { ActivityLog } from './activity.ts';

/** What every service needs. One per process; nothing in it knows about a call. */
export interface App {
  config: ServerConfig;
  db: Database;
  bus: EventBus;
  identity: IdentityVerifier;
  /** Accounts at the provider that `identity` believes. */
  accounts: IdentityAccounts;
  /** For secrets that must be read back; those that need not be are hashed. */
  secrets: Sealer;
  log: Log;
  activity: ActivityLog;
  now(): Date;
}
