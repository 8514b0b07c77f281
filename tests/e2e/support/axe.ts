import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * Returns the problems that axe finds on the current screen, as rule and element. Runs all rules in the light theme,
 * and only the contrast rule in the dark theme, because no other rule depends on the theme.
 */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated instead of added as a script, because the console's security policy allows only its own scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const lightProblems = await runRules(page, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  const darkProblems = await runRules(page, { runOnly: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...lightProblems, ...darkProblems.map((problem) => `in dark: ${problem}`)];
}

async function runRules(page: Page, options: axe.RunOptions): Promise<string[]> {
  const results = await page.evaluate((run) => (globalThis as unknown as { axe: typeof axe }).axe.run(run), {
    ...options,
    resultTypes: ['violations' as const],
  });
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  );
}
