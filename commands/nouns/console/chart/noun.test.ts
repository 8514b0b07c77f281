import { expect, test, vi } from 'vitest';

import type { Command } from '#commands/model/command.ts';
import type { ChartHost } from '#commands/model/screen-hosts.ts';
import { testContext } from '#commands/testkit/context.ts';

import { noun } from './noun.ts';
import { PRESETS } from './presets.ts';

test.each(Object.entries(PRESETS))('chart %s shows its period', async (verb, range) => {
  const chart = { setRange: vi.fn<ChartHost['setRange']>() };
  const host = { chart: chart as Partial<ChartHost> as ChartHost };
  const command = (noun.commands as readonly Command[]).find((other) => other.verb === verb)!;
  await command.run({ ...testContext({ host }), stop: new AbortController().signal }, {});
  expect(chart.setRange).toHaveBeenCalledExactlyOnceWith(range);
});
