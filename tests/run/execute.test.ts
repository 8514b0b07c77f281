import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { execute } from './execute.mjs';
import type { Step } from './steps.mjs';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-execute-'));
afterAll(() => rmSync(folder, { recursive: true }));

let reports = 0;
/** Runs a script in place of a test runner; the path of its report is the last argument, as for Vitest. */
async function runScript(kind: Step['kind'], script: string) {
  const report = join(folder, `${reports++}.json`);
  const {
    output: _output,
    seconds: _seconds,
    ...count
  } = await execute({ name: 'x', kind, command: [process.execPath, '-e', script, '--'] }, report);
  return count;
}

const reportScript = (passed: number, failed: number, code: number) =>
  `const path = process.argv.at(-1).split('=').at(-1);
   fs.writeFileSync(path, '{ "numPassedTests": ${passed}, "numFailedTests": ${failed} }');
   process.exitCode = ${code}`;

test('counts a check as one test', async () => {
  expect(await runScript('check', '')).toEqual({ passed: 1, failed: 0 });
  expect(await runScript('check', 'process.exit(3)')).toEqual({ passed: 0, failed: 1 });
});

test("reads the counts from a test runner's report", async () => {
  expect(await runScript('vitest', reportScript(7, 0, 0))).toEqual({ passed: 7, failed: 0 });
  expect(await runScript('vitest', reportScript(5, 2, 1))).toEqual({ passed: 5, failed: 2 });
});

test('treats a runner that failed or found nothing as a failure', async () => {
  expect(await runScript('vitest', reportScript(7, 0, 1))).toEqual({ passed: 7, failed: 1 });
  expect(await runScript('vitest', reportScript(0, 0, 0))).toEqual({ passed: 0, failed: 1 });
  expect(await runScript('vitest', '')).toEqual({ passed: 0, failed: 1 });
});

test('counts flaky tests as passed, and reports them', async () => {
  const script = `fs.writeFileSync(process.env.PLAYWRIGHT_JSON_OUTPUT_FILE,
    '{ "stats": { "expected": 5, "flaky": 2, "unexpected": 1 } }'); process.exitCode = 1`;
  expect(await runScript('playwright', script)).toEqual({ passed: 7, failed: 1, flaky: 2 });
});
