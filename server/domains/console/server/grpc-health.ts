import type { DescService } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';

import { type Health, HealthCheckResponse_ServingStatus as Status } from '#proto/gen/grpc/health/v1/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { runToCompletion } from '#server/db/pool/work.ts';

/** The time limit for a trivial database query. */
const DATABASE_TIMEOUT_MS = 2000;
/** How long callers share a result. Anyone can call this service, so it mustn't query the database for every call. */
const RESULT_TTL_MS = 1000;
/** The interval between checks for watchers. */
const CHECK_INTERVAL_MS = 5000;
/** Watching requires no sign-in, so the number of watchers is limited. A server has only a few load balancers. */
const MAX_WATCHERS = 1000;

/**
 * Serves `grpc.health.v1`. Every service is NOT_SERVING while the server is stopping or its database does not respond,
 * because every service needs the database. The empty name stands for the whole server.
 */
export function grpcHealth(
  app: Pick<App, 'db'>,
  services: readonly DescService[],
  stopping: AbortSignal,
): ServiceImpl<typeof Health> {
  const names = ['', ...services.map(({ typeName }) => typeName)];
  const knownNames = new Set(names);
  // Run to completion, so the other callers still get the result if the first caller hangs up.
  const checkDatabase = shareResult(() => runToCompletion(() => doesDatabaseRespond(app)));
  const getStatus = async (): Promise<Status> =>
    !stopping.aborted && (await checkDatabase()) ? Status.SERVING : Status.NOT_SERVING;
  let watchers = 0;

  return {
    async check({ service }) {
      if (!knownNames.has(service)) throw new ConnectError(`This server has no service "${service}".`, Code.NotFound);
      return { status: await getStatus() };
    },

    async list() {
      const common = { status: await getStatus() };
      return { statuses: Object.fromEntries(names.map((name) => [name, common])) };
    },

    async *watch({ service }, context) {
      if (watchers >= MAX_WATCHERS) {
        throw new ConnectError(
          `This server allows ${MAX_WATCHERS} health watches at once. Try again later.`,
          Code.ResourceExhausted,
        );
      }
      watchers += 1;
      try {
        for (let last: Status | undefined; ;) {
          const status = knownNames.has(service) ? await getStatus() : Status.SERVICE_UNKNOWN;
          if (status !== last) yield { status };
          last = status;
          if (context.signal.aborted) return;
          await pause(CHECK_INTERVAL_MS, context);
        }
      } finally {
        watchers -= 1;
      }
    },
  };
}

async function doesDatabaseRespond({ db }: Pick<App, 'db'>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), DATABASE_TIMEOUT_MS)));
  // The error needs no log entry here: other calls that use the database log it.
  const query = db.orm.execute(sql`select 1`).then(
    () => true,
    () => false,
  );
  return Promise.race([query, timeout]).finally(() => clearTimeout(timer));
}

/** Runs the check at most once per `RESULT_TTL_MS`, regardless of the number of callers. */
function shareResult(check: () => Promise<boolean>): () => Promise<boolean> {
  let latestResult: Promise<boolean> | undefined;
  return () => {
    if (latestResult === undefined) {
      latestResult = check();
      void latestResult.then(() => setTimeout(() => (latestResult = undefined), RESULT_TTL_MS).unref());
    }
    return latestResult;
  };
}

/** Waits for the given time, or until the caller hangs up, the call's deadline passes, or the server stops. */
function pause(milliseconds: number, { signal }: HandlerContext): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish);
  });
}
