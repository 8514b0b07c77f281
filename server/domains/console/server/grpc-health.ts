import type { DescService } from '@bufbuild/protobuf';
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';
import { type Health, HealthCheckResponse_ServingStatus as Status } from '#proto/gen/grpc/health/v1/health_pb.ts';
import type { App } from '#server/app/app.ts';
import { seenThrough } from '#server/db/pool/work.ts';

/** How long the database may take over a query of nothing. */
const DATABASE_TIMEOUT_MS = 2_000;
/** Anybody may ask, so that answers this fresh are shared. */
const FRESH_MS = 1_000;
/** Between two looks for those who watch. */
const WATCH_EVERY_MS = 5_000;
/** Nobody has to be signed in to watch; load balancers of one server are few. */
const MAX_WATCHERS = 1_000;

/**
 * Serves `grpc.health.v1`. A server that is stopping or whose database does not answer is NOT_SERVING, with everything
 * it has, as no service works without the database. The empty name is the server as a whole.
 */
export function grpcHealth(
  app: Pick<App, 'db'>,
  services: readonly DescService[],
  stopping: AbortSignal,
): ServiceImpl<typeof Health> {
  const names = ['', ...services.map(({ typeName }) => typeName)];
  const known = new Set(names);
  // Not on behalf of whoever happens to ask first: hanging up would cancel the look for everybody else.
  const databaseAnswers = shared(() => seenThrough(() => answersInTime(app)));
  const status = async (): Promise<Status> =>
    !stopping.aborted && (await databaseAnswers()) ? Status.SERVING : Status.NOT_SERVING;
  let watchers = 0;

  return {
    async check({ service }) {
      if (!known.has(service)) throw new ConnectError(`This server has no service "${service}".`, Code.NotFound);
      return { status: await status() };
    },

    async list() {
      const common = { status: await status() };
      return { statuses: Object.fromEntries(names.map((name) => [name, common])) };
    },

    async *watch({ service }, context) {
      if (watchers >= MAX_WATCHERS) {
        throw new ConnectError(`${MAX_WATCHERS} calls watch the health already.`, Code.ResourceExhausted);
      }
      watchers += 1;
      try {
        for (let last: Status | undefined; ;) {
          const now = known.has(service) ? await status() : Status.SERVICE_UNKNOWN;
          if (now !== last) yield { status: now };
          last = now;
          if (context.signal.aborted) return;
          await pause(WATCH_EVERY_MS, context);
        }
      } finally {
        watchers -= 1;
      }
    },
  };
}

async function answersInTime({ db }: Pick<App, 'db'>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), DATABASE_TIMEOUT_MS)));
  // Why it does not answer is logged by whoever needs the answer.
  const answered = db.orm.execute(sql`select 1`).then(
    () => true,
    () => false,
  );
  return Promise.race([answered, late]).finally(() => clearTimeout(timer));
}

/** Looks at most once in `freshMs`, however many ask. */
function shared(look: () => Promise<boolean>): () => Promise<boolean> {
  let latest: Promise<boolean> | undefined;
  return () => {
    if (latest === undefined) {
      latest = look();
      void latest.then(() => setTimeout(() => (latest = undefined), FRESH_MS).unref());
    }
    return latest;
  };
}

/** Waits, or until the call ends: by its caller, its deadline, or the server that stops. */
function pause(milliseconds: number, { signal }: HandlerContext): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
