// The entry point: `node dist/server/main.js`, after `npm start` has built it.
import process from 'node:process';

import { disablePretenuring } from '#server/base/heap.ts';

import { run } from './run.ts';

disablePretenuring();
process.exit(await run(process.argv.slice(2), process.env));
