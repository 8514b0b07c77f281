import { expect, test } from 'vitest';
import { HealthService } from '#proto/hiber/health_pb';
import { startTestServer } from '../testing.ts';

test('levels are listed mildest first, searched and named', async () => {
  const t = await startTestServer();
  const health = t.as('viewer').client(HealthService);
  const levels = async (selection = {}) =>
    (await health.list({ selection })).healthLevels.map(({ level, severity }) => [level, severity]);
  expect(await levels()).toEqual([
    ['Healthy', 1n],
    ['Build up', 2n],
    ['Alarm', 3n],
  ]);
  expect(await levels({ search: 'BUILD' })).toEqual([['Build up', 2n]]);
  expect(await levels({ levels: ['Alarm', 'alarm'] })).toEqual([['Alarm', 3n]]);
  await t.close();
});
