import process from 'node:process';

import { expect, test } from 'vitest';

import { serverProgram } from '#server/testkit/start.ts';

import { torture } from './torture.ts';

test('servers that are killed under load lose no acknowledged writes', { timeout: 900_000 }, async () => {
  const result = await torture({
    kills: 2,
    seed: 7,
    minutes: 10,
    databaseUrl: process.env['TEST_DATABASE_URL'] || undefined,
    server: [...serverProgram()],
    progress: () => undefined,
  });
  expect(result.losses).toEqual([]);
  expect(result.kills).toBe(2);
  expect(result.ledger.acknowledgedMarkers('message').size).toBeGreaterThan(0);
  expect(result.arrivals).toBeGreaterThan(0);
});
