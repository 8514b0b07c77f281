// Runs a step and counts its passed and failed tests.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {import('./steps.mjs').Step} Step */
/** @typedef {{ passed: number, failed: number, flaky?: number }} Count `flaky`: tests that passed only when retried */
/** @typedef {Count & { output: string, seconds: number }} Outcome */

/** @type {Record<Step['kind'], (report: string) => { args: string[], env: Record<string, string> }>} */
const reportOptions = {
  check: () => ({ args: [], env: {} }),
  vitest: (report) => ({ args: ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`], env: {} }),
  playwright: (report) => ({ args: ['--reporter=line,json'], env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } }),
};

/** @type {Record<Step['kind'], (report: string) => Count>} */
const counters = {
  check: () => ({ passed: 1, failed: 0 }),
  vitest: (report) => {
    const { numPassedTests, numFailedTests } = JSON.parse(report);
    return { passed: numPassedTests, failed: numFailedTests };
  },
  playwright: (report) => {
    const { expected, flaky, unexpected } = JSON.parse(report).stats;
    return { passed: expected + flaky, failed: unexpected, flaky };
  },
};

/**
 * Counts the passed and failed tests of a step.
 *
 * @param {Step} step
 * @param {string} report the path of the JSON report
 * @param {number | null} code the exit code
 * @returns {Count}
 */
function count({ kind }, report, code) {
  const hasReport = existsSync(report);
  const counts =
    kind === 'check' && code !== 0
      ? { passed: 0, failed: 1 }
      : kind === 'check' || hasReport
        ? counters[kind](hasReport ? readFileSync(report, 'utf8') : '')
        : { passed: 0, failed: 0 };
  // A runner fails if it exits with an error but has no failed test, for example because a file does not load. It also
  // fails if it found nothing to run.
  const isSilentFailure = counts.failed === 0 && (code !== 0 || counts.passed === 0);
  return isSilentFailure ? { ...counts, failed: 1 } : counts;
}

/**
 * Runs a step.
 *
 * @param {Step} step
 * @param {string} report the path of its JSON report
 * @returns {Promise<Outcome>}
 */
export async function execute(step, report) {
  const startedAt = performance.now();
  const { args, env } = reportOptions[step.kind](report);
  const [program = '', ...rest] = [...step.command, ...args];
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, CI: 'true', NO_COLOR: '1' },
    shell: process.platform === 'win32' && program === 'npm',
  });
  let output = '';
  child.stdout.on('data', (/** @type {Buffer} */ chunk) => (output += chunk.toString()));
  child.stderr.on('data', (/** @type {Buffer} */ chunk) => (output += chunk.toString()));
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  const plainOutput = stripVTControlCharacters(output);
  return { ...count(step, report, code), output: plainOutput, seconds: (performance.now() - startedAt) / 1000 };
}
