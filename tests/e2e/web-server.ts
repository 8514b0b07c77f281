import { fileURLToPath } from 'node:url';

import { freePort } from '#server/launch/free-port.mjs';

/** Configures the servers for a run. Each worker has its own server, with its own data that is discarded afterwards. */
export async function webServer(count: number) {
  // Playwright's workers reload this file, with the environment of the first load.
  const reservedPorts = process.env['QUARTERDECK_E2E_PORTS']?.split(' ');
  const ports =
    reservedPorts ?? (await Promise.all(Array.from({ length: count }, async () => String(await freePort()))));
  process.env['QUARTERDECK_E2E_PORTS'] = ports.join(' ');
  return {
    // Playwright would start several servers one after the other.
    command: `node tests/e2e/serve-workers.mjs ${ports.join(' ')}`,
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    wait: { stdout: /^Ready$/m },
    timeout: 240_000,
    stdout: 'pipe' as const,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
  };
}

/** Returns the URL of this worker's server. */
export function address(): string {
  const ports = process.env['QUARTERDECK_E2E_PORTS']?.split(' ') ?? [];
  return `http://127.0.0.1:${ports[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)] ?? ''}`;
}
