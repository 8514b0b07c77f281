import type { ServerConfig } from './config.ts';
import type { Database } from './db/database.ts';
import type { EventBus } from './events/bus.ts';
import type { IdentityAccounts } from './identity/accounts.ts';
import type { IdentityVerifier } from './identity/verifier.ts';
import type { Log } from './log.ts';
import type { Sealer } from './secrets.ts';
import type { ActivityLog } from './session/activity.ts';

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
