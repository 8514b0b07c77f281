// `npm test` prepares a fresh clone and runs every check and test. It runs two steps at a time, and the browser steps
// last. `npm run check` runs only the static checks, and `npm test -- unit server` only the named steps. The last line
// of the output is `N passed, N failed`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { prepare } from '#server/launch/prepare.mjs';
import { StepError } from '#server/launch/steps.mjs';

import { execute } from './execute.mjs';
import { steps } from './steps.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

const stepNames = process.argv.slice(2);
const unknown = stepNames.find((name) => name !== 'check' && steps.every((step) => step.name !== name));
if (unknown !== undefined) {
  console.error(`Unknown step "${unknown}". Available: check, ${steps.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const isSelected = (/** @type {Step} */ step) =>
  stepNames.length === 0 || stepNames.includes(step.name) || (stepNames.includes('check') && step.kind === 'check');

const total = { passed: 0, failed: 0 };
const reports = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'));

/**
 * Runs a step and prints its result.
 *
 * @param {Step} step
 */
async function run(step) {
  const { passed, failed, flaky = 0, output, seconds } = await execute(step, join(reports, `${step.name}.json`));
  total.passed += passed;
  total.failed += failed;
  const time = `${seconds.toFixed(1)} s`;
  if (failed > 0) console.log(`\n✗ ${step.name}: ${failed} failed, ${passed} passed (${time})\n\n${output.trim()}\n`);
  else console.log(`✓ ${step.name}: ${passed} passed (${time})`);
  // Flaky tests do not fail the run, but are printed as prominently as failures because they must be fixed.
  if (failed === 0 && flaky > 0)
    console.log(`\n! ${step.name}: ${flaky} passed only when retried\n\n${output.trim()}\n`);
}

/**
 * Runs the steps two at a time.
 *
 * @param {Step[]} queue
 */
async function runAll(queue) {
  const runQueue = async () => {
    for (let step = queue.shift(); step !== undefined; step = queue.shift()) await run(step);
  };
  await Promise.all([runQueue(), runQueue()]);
}

/**
 * Runs the browser steps. Firefox runs at the same time as Chromium because the Firefox tests mostly wait. Installs
 * Chromium if it is missing, and skips the Firefox step if Firefox is missing.
 *
 * @param {Step[]} queue
 */
async function runInBrowsers(queue) {
  // Playwright can only be imported after `prepare` has installed it.
  const { ensureBrowser, findFirefox, NO_FIREFOX } = await import('#tests/browser.mjs');
  const isMissing = (/** @type {Step} */ step) => step.browser === 'firefox' && findFirefox() === undefined;
  for (const step of queue.filter(isMissing)) console.log(`– ${step.name}: SKIPPED. ${NO_FIREFOX}`);
  if (queue.some(({ browser }) => browser === 'chromium'))
    process.env.QUARTERDECK_CHROMIUM = ensureBrowser({ shell: true });
  await runAll(queue.filter((step) => !isMissing(step)));
}

try {
  const selectedSteps = steps.filter(isSelected);
  const inBrowser = selectedSteps.filter((step) => step.browser !== undefined);
  await prepare(inBrowser.length > 0 ? ['console', 'server', 'cli'] : []);
  await runAll(selectedSteps.filter((step) => step.browser === undefined));
  if (inBrowser.length > 0) await runInBrowsers(inBrowser);
} catch (error) {
  console.error(error instanceof StepError ? error.message : error);
  total.failed += 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
console.log(`${total.passed} passed, ${total.failed} failed`);
