// A process of its own for the server that `npm run fuzz` calls, so that its event loop is its own.
import process from 'node:process';
import { startTarget } from './target.ts';

export type Order = { hire: number } | { close: true };
export type Report =
  | {
      ready: {
        port: number;
        served: string[];
        pool: Awaited<ReturnType<typeof startTarget>>['pool'];
        bystander: string;
      };
    }
  | { hired: Awaited<ReturnType<Awaited<ReturnType<typeof startTarget>>['hire']>> }
  | { failed: string }
  | { logged: string };

const report = (message: Report): void => void process.send?.(message);
const devices = Number(process.argv[2]);
const target = await startTarget(devices > 0 ? devices : undefined, (line) => report({ logged: line }));
const { port, served, pool, bystander } = target;
process.on('message', (order: Order) => {
  if ('close' in order) void target.close().finally(() => process.exit(0));
  else
    target.hire(order.hire).then(
      (hired) => report({ hired }),
      (error: unknown) => report({ failed: String(error) }),
    );
});
// Whoever started it has gone.
process.on('disconnect', () => process.exit(1));
report({ ready: { port, served, pool, bystander } });
