import type { Page } from '@playwright/test';
import { type Bench, percentile } from './bench.ts';
import { signIn, withBrowserPage } from './browser.ts';
import { withServer } from './server.ts';

const DEVICES = 100_000;
const ROUNDS = 5;
/** ms that somebody waits for what would happen to a whole fleet. */
const BUDGET = 2000;

/** ms from the last letter of a value to what it would do to everything that is selected. */
async function planned(page: Page, value: string, shown: string): Promise<number> {
  await page.keyboard.press('l');
  const palette = page.getByRole('dialog', { name: 'Palette' });
  await palette.getByRole('combobox').waitFor();
  await page.keyboard.type(value.slice(0, -1));
  const plan = palette.getByRole('region', { name: 'Plan' });
  const began = performance.now();
  await page.keyboard.type(value.slice(-1));
  await plan.getByText(shown).first().waitFor();
  const took = performance.now() - began;
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'hidden' });
  return took;
}

export const bench: Bench = {
  title: `Plan: ${DEVICES.toLocaleString('en')} devices selected, until the palette shows what would change`,
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
        // In turn, so that none is known from the round before; the first round warms up.
        for (let round = -1; round < ROUNDS; round += 1) {
          const paused = await planned(page, 'pau', '→ Paused');
          const spare = await planned(page, 'spa', '→ Spare');
          if (round >= 0) times.push(paused, spare);
        }
        const row = (name: string, percent: number) =>
          ({ name, unit: 'ms', value: percentile(times, percent), baseline: BUDGET, target: 1 }) as const;
        return [row('set the lifecycle p50, to 2 s', 50), row('set the lifecycle, worst to 2 s', 100)];
      }),
    ),
};
