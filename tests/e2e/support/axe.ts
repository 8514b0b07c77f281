import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * The problems that axe finds on the current screen, as rule and element: by all rules in the light theme, and in the
 * dark theme by contrast, the only rule that depends on the theme.
 */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated rather than added as a script: the console's security policy allows only its own scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const inLight = await runRules(page, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await runRules(page, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...inLight, ...inDark.map((problem) => `in dark: ${problem}`)];
}

async function runRules(page: Page, options: axe.RunOptions): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    (run) => (globalThis as unknown as { axe: typeof axe }).axe.run(run),
    { ...options, resultTypes: ['violations' as const] },
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}
