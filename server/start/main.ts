// The entry point: `node dist/server/main.js`, after `npm start` has built it.
import process from 'node:process';

import { run } from './run.ts';

process.exit(await run(process.argv.slice(2), process.env));
