import type { Page } from '@playwright/test';

import { type Bench, percentile } from './bench.ts';
import { signIn, withBrowserPage } from './browser.ts';
import { withServer } from './server.ts';

const DEVICES = 100_000;
const ROUNDS = 5;
/** The maximum time until the plan for a change to a whole fleet appears, in milliseconds. */
const BUDGET = 2000;

/** Measures the milliseconds from the last letter of a lifecycle until the plan for the whole selection appears. */
async function measurePlan(page: Page, value: string, expectedText: string): Promise<number> {
  await page.keyboard.press('l');
  const palette = page.getByRole('dialog', { name: 'Palette' });
  await palette.getByRole('combobox').waitFor();
  await page.keyboard.type(value.slice(0, -1));
  const plan = palette.getByRole('region', { name: 'Plan' });
  const startedAt = performance.now();
  await page.keyboard.type(value.slice(-1));
  await plan.getByText(expectedText).first().waitFor();
  const elapsed = performance.now() - startedAt;
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'hidden' });
  return elapsed;
}

export const bench: Bench = {
  title: `Time until the palette shows the plan of a change to ${DEVICES.toLocaleString('en')} devices`,
  run: () =>
    withServer(['--devices', String(DEVICES), '--rate', '0'], (address) =>
      withBrowserPage(async (page) => {
        await signIn(page, address);
        await page.getByRole('grid', { name: 'Devices' }).waitFor();
        await page.keyboard.press('*');
        await page
          .getByRole('contentinfo', { name: 'Status' })
          .getByText(DEVICES.toLocaleString('en'))
          .first()
          .waitFor();
        const times: number[] = [];
        // Alternate between two values to avoid the previous round's cache. The first round only warms up.
        for (let round = -1; round < ROUNDS; round += 1) {
          const paused = await measurePlan(page, 'pau', '→ Paused');
          const spare = await measurePlan(page, 'spa', '→ Spare');
          if (round >= 0) times.push(paused, spare);
        }
        const row = (name: string, percent: number) =>
          ({
            name,
            unit: 'ms',
            value: percentile(times, percent),
            baseline: BUDGET,
            isWorkBudget: true,
            target: 1,
          }) as const;
        return [row('set the lifecycle p50 vs 2 s', 50), row('set the lifecycle maximum vs 2 s', 100)];
      }),
    ),
};
