import { defineConfig } from 'vitest/config';

/** Start servers of their own on the embedded database, or are about what comes before a database: PostgreSQL changes nothing of them. */
const embeddedOnly = [
  'server/http/**/*.test.ts',
  'server/wire/requests/extremes.test.ts',
  'server/policies/everybody.test.ts',
  'server/db/drivers/open.test.ts',
  'server/publishing/kill.test.ts',
  'server/demo/identity/provider.test.ts',
  'server/start/**/*.test.ts',
  'tests/fuzz/*.test.ts',
];

// Three projects, so that a run can ask for one kind: `npx vitest run --project server`.
// The server's tests are run a second time by .ci/run with TEST_DATABASE_URL, against a real PostgreSQL.
// Without a DOM no file keeps anything that another could see: they share their modules, of which each file would
// otherwise load the generated code of the whole contract again.
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
