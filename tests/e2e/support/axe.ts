import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** The problems that axe finds on the current screen, as rule and element. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated rather than added as a script: the console's security policy allows only its own scripts.
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}
