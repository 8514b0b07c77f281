import { defineConfig } from 'vitest/config';

import { withoutDatabase } from './tests/run/without-database.ts';

/** Tests that PostgreSQL doesn't affect: they start servers on the embedded database, or need no database. */
const embeddedOnly = [
  ...withoutDatabase.map((folder) => `${folder}/**/*.test.ts`),
  'server/http/**/*.test.ts',
  'server/wire/requests/extremes.test.ts',
  'server/policies/all-callers.test.ts',
  'server/db/drivers/open.test.ts',
  'server/publishing/kill.test.ts',
  'server/demo/identity/provider.test.ts',
  'server/start/**/*.test.ts',
  'tests/fuzz/*.test.ts',
];

// A project is one kind of test, which can be run alone: `npx vitest run --project server`.
// .ci/run repeats the server tests on a real PostgreSQL server, with TEST_DATABASE_URL.
// Test files share their modules. Otherwise, each file would load the generated code for the whole contract again.
// Tests without a DOM leave no state behind. For the others, tests/run/console-setup.ts resets our modules.
export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'commands/**/*.test.ts',
            'tests/structure/**/*.test.ts',
            'tests/run/**/*.test.ts',
            'tests/contract/**/*.test.ts',
            'tests/mutate/**/*.test.ts',
            'tests/bench/**/*.test.ts',
          ],
          environment: 'node',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['tests/run/console-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'tests/fuzz/**/*.test.ts', 'tests/torture/**/*.test.ts'],
          exclude: process.env['TEST_DATABASE_URL'] === undefined ? [] : embeddedOnly,
          environment: 'node',
          isolate: false,
        },
      },
    ],
  },
});
