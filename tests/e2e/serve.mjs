// Starts the built server for the benchmarks, with a data folder that is removed when the server exits. Accepts the
// options of `npm start`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const data = mkdtempSync(join(tmpdir(), 'quarterdeck-e2e-'));
process.on('exit', () => rmSync(data, { recursive: true, force: true }));
process.argv.push('--data', data, '--allow-loopback-deliveries');
await import('#server/launch/start.mjs');
