import { afterAll, beforeAll, expect, test } from 'vitest';

import { runCampaign } from './campaign.ts';
import { loadMethods } from './contract.ts';
import { startTarget, type Target } from './target.ts';
import { type Client, openClient } from './wire.ts';

/** The seed of every run; `npm run fuzz` uses others. */
const SEED = 'the same in every run';

const logLines: string[] = [];
let target: Target;
let client: Client;
beforeAll(async () => {
  target = await startTarget(undefined, (line) => logLines.push(line));
  client = openClient(target.port, 4);
});
afterAll(async () => {
  await client.close();
  await target.close();
});

test('finds no defect with 3,000 calls to all rpcs', async () => {
  const { defects, authenticated, reached } = await runCampaign({
    seed: SEED,
    methods: await loadMethods(),
    servedPaths: new Set(target.servedPaths),
    pool: target.pool,
    client,
    concurrency: 4,
    binaryCount: 1500,
    jsonCount: 1500,
    createCallers: (round) => target.createCallers(round),
  });
  expect({ defects: defects.map(({ repro, reply }) => `${repro} => ${reply.message}`), logged: logLines }).toEqual({
    defects: [],
    logged: [],
  });
  expect(reached / authenticated).toBeGreaterThan(0.5);
});
