// The server that `npm run fuzz` tests. It has its own process, so nothing else uses its event loop.
import process from 'node:process';

import { startTarget } from './target.ts';

/** A period when the machine didn't run the server, on the clock that all processes share. */
export interface Stall {
  readonly from: number;
  readonly to: number;
}

export type Order = { createCallers: number } | { close: true };
export type Report =
  | {
      ready: {
        port: number;
        servedPaths: string[];
        pool: Awaited<ReturnType<typeof startTarget>>['pool'];
        bystander: string;
      };
    }
  | { callers: Awaited<ReturnType<Awaited<ReturnType<typeof startTarget>>['createCallers']>> }
  | { failed: string }
  | { logged: string }
  | { stalled: Stall };

const report = (message: Report): void => void process.send?.(message);
const devices = Number(process.argv[2]);
const target = await startTarget(devices > 0 ? devices : undefined, (line) => report({ logged: line }));
const { port, servedPaths, pool, bystander } = target;
process.on('message', (order: Order) => {
  if ('close' in order) void target.close().finally(() => process.exit(0));
  else
    target.createCallers(order.createCallers).then(
      (callers) => report({ callers }),
      (error: unknown) => report({ failed: String(error) }),
    );
});
// The parent process has exited.
process.on('disconnect', () => process.exit(1));

// Time that a busy machine takes from the server does not count against a call. It is detected by a timer that fires
// late although the process, including its database, hardly used a processor.
const INTERVAL_MS = 10;
let [lastTick, lastUsage] = [Date.now(), process.cpuUsage()];
setInterval(() => {
  const now = Date.now();
  const { user, system } = process.cpuUsage(lastUsage);
  const delay = now - lastTick;
  if (delay > 5 * INTERVAL_MS && (user + system) / 1000 < delay / 4) report({ stalled: { from: lastTick, to: now } });
  [lastTick, lastUsage] = [now, process.cpuUsage()];
}, INTERVAL_MS);

report({ ready: { port, servedPaths, pool, bystander } });
