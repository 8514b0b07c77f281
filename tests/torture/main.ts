import process from 'node:process';
import { parseArgs } from 'node:util';

import { formatResult } from './report.ts';
import { torture } from './torture.ts';

const USAGE = `npm run torture -- [options]

Starts the built server, puts it under load, kills it at random moments, and checks at the end that no acknowledged
write, event, or delivery was lost. With DATABASE_URL, two servers share a new database on that PostgreSQL server, which
is dropped afterwards. Otherwise, one server uses the embedded database in a new folder.

  --kills N      how many times a server is killed (default 50)
  --seed N       determines what is written and when servers are killed (default 1)
  --minutes N    stops after this many minutes (default 40)
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '40' },
    help: { type: 'boolean', default: false },
  },
});
const numbers = [values.kills, values.seed, values.minutes].map(Number);
const [kills = 0, seed = 0, minutes = 0] = numbers;
if (values.help || !numbers.every((number) => Number.isInteger(number) && number > 0)) {
  process.stdout.write(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const result = await torture({
    kills,
    seed,
    minutes,
    databaseUrl: process.env['DATABASE_URL'] || undefined,
    server: ['dist/server/main.js'],
    progress: (line) => void process.stdout.write(`${line}\n`),
  });
  process.stdout.write(formatResult(result));
  process.exitCode = result.losses.length === 0 ? 0 : 1;
}
