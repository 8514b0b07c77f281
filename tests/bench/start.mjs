// `npm run bench`: measures the built console and server.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { prepare } from '../../server/launch/prepare.mjs';

await prepare(['console', 'server']);
const args = ['--import', 'tsx', 'tests/bench/run.ts', ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
