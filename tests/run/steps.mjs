// The steps of `npm test`. A check counts as one test; a test runner counts its tests in a JSON report.
import process from 'node:process';

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {'check' | 'vitest' | 'playwright'} kind
 * @property {readonly string[]} command program and arguments
 * @property {'chromium' | 'firefox'} [browser] the required browser; steps with a browser run after the others
 */

/**
 * Returns the command that runs an installed tool.
 *
 * @param {string} entry a script inside node_modules
 * @param {string[]} args
 */
const tool = (entry, ...args) => [process.execPath, `node_modules/${entry}`, ...args];
/**
 * Returns the command that runs a script in package.json.
 *
 * @param {string} script
 */
const npmScript = (script) => ['npm', 'run', '--silent', script];
/**
 * Returns the command that runs the tests of Vitest projects.
 *
 * @param {string[]} projects
 */
const vitest = (...projects) => tool('vitest/vitest.mjs', 'run', ...projects.flatMap((name) => ['--project', name]));

/**
 * The server tests take longest, so they start first, and the other steps run at the same time.
 *
 * @type {readonly Step[]}
 */
export const steps = [
  { name: 'server', kind: 'vitest', command: vitest('server') },
  { name: 'types', kind: 'check', command: tool('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json') },
  {
    name: 'types-commands',
    kind: 'check',
    command: tool('typescript/bin/tsc', '--noEmit', '-p', 'commands/tsconfig.json'),
  },
  { name: 'lint', kind: 'check', command: tool('oxlint/bin/oxlint') },
  { name: 'format', kind: 'check', command: tool('oxfmt/bin/oxfmt', '--check', '.') },
  {
    name: 'layers',
    kind: 'check',
    command: [
      process.execPath,
      '--import',
      './tests/run/typescript-for-tools.mjs',
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      'commands',
      'src',
      'server',
      'proto',
    ],
  },
  { name: 'unused', kind: 'check', command: tool('knip/bin/knip.js', '--no-progress') },
  { name: 'proto-lint', kind: 'check', command: npmScript('proto:lint') },
  { name: 'proto-breaking', kind: 'check', command: npmScript('proto:breaking') },
  { name: 'unit', kind: 'vitest', command: vitest('unit', 'console') },
  { name: 'e2e', kind: 'playwright', browser: 'chromium', command: tool('@playwright/test/cli.js', 'test') },
  {
    name: 'firefox',
    kind: 'playwright',
    browser: 'firefox',
    command: tool('@playwright/test/cli.js', 'test', '--config', 'tests/firefox/playwright.config.ts'),
  },
];
