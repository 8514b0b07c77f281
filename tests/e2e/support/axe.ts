import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** What axe finds wrong with what is on the screen now, as rule and element. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the console's security policy takes no scripts but its own.
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}
