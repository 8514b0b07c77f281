import { fileURLToPath } from 'node:url';
import { freePort } from '#server/launch/free-port.mjs';

/** The servers that the tests of a run have: each worker has one to itself, so that no two meet in the same data. */
export async function webServers(count: number) {
  // Playwright's workers read this again, with the environment of the first reading.
  const known = process.env['QUARTERDECK_E2E_PORTS']?.split(' ');
  const ports = known ?? (await Promise.all(Array.from({ length: count }, async () => String(await freePort()))));
  process.env['QUARTERDECK_E2E_PORTS'] = ports.join(' ');
  return ports.map(webServer);
}

/** Where the server of this worker is. */
export function address(): string {
  const ports = process.env['QUARTERDECK_E2E_PORTS']?.split(' ') ?? [];
  return addressAt(ports[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)] ?? '');
}

function addressAt(port: string): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * The built server on data of its own, thrown away afterwards. Its fleet is lively, so what waits for a message need
 * not wait long.
 */
function webServer(port: string) {
  return {
    command: `node tests/e2e/serve.mjs --port ${port} --rate 20`,
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    url: addressAt(port),
    timeout: 120_000,
    stdout: 'pipe' as const,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 15_000 },
  };
}
