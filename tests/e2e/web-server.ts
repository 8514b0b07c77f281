import { fileURLToPath } from 'node:url';

import { freePort } from '#server/launch/free-port.mjs';

/** Configures the servers for a run: each worker has its own, so no two tests share data. */
export async function webServers(count: number) {
  // Playwright's workers reload this file, with the environment of the first load.
  const reservedPorts = process.env['QUARTERDECK_E2E_PORTS']?.split(' ');
  const ports =
    reservedPorts ?? (await Promise.all(Array.from({ length: count }, async () => String(await freePort()))));
  process.env['QUARTERDECK_E2E_PORTS'] = ports.join(' ');
  return ports.map(webServer);
}

/** Returns the URL of this worker's server. */
export function address(): string {
  const ports = process.env['QUARTERDECK_E2E_PORTS']?.split(' ') ?? [];
  return addressAt(ports[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)] ?? '');
}

function addressAt(port: string): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * Configures the built server with its own data, discarded afterwards. Its fleet is so busy that tests wait only
 * seconds for a message.
 */
function webServer(port: string) {
  return {
    command: `node tests/e2e/serve.mjs --port ${port} --rate 3`,
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    url: addressAt(port),
    timeout: 120_000,
    stdout: 'pipe' as const,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
  };
}
