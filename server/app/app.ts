import type { ServerConfig } from '#server/base/config.ts';
import type { Log } from '#server/base/log.ts';
import type { Sealer } from '#server/base/secrets.ts';
import type { Database } from '#server/db/database.ts';
import type { EventBus } from '#server/events/bus.ts';
import type { IdentityAccounts } from '#server/identity/accounts.ts';
import type { IdentityVerifier } from '#server/identity/verifier.ts';
import type { Parsing } from '#server/parsing/parsing.ts';

import type { ActivityLog } from './activity.ts';

/** The dependencies of all services. Each process has one instance, independent of any call. */
export interface App {
  readonly config: ServerConfig;
  readonly db: Database;
  bus: EventBus;
  identity: IdentityVerifier;
  /** Manages accounts at the provider that `identity` trusts. */
  readonly accounts: IdentityAccounts;
  /** Encrypts secrets that the server must read back. All other secrets are hashed. */
  readonly secrets: Sealer;
  log: Log;
  readonly activity: ActivityLog;
  readonly parsing: Parsing;
  now(): Date;
}
