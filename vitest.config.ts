import { defineConfig } from 'vitest/config';

// Three projects, so that a run can ask for one kind: `npx vitest run --project server`.
// The server's tests are run a second time by .ci/run with TEST_DATABASE_URL, against a real PostgreSQL.
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
        },
      },
      {
        extends: true,
        test: { name: 'console', include: ['src/**/*.test.{ts,tsx}'], environment: 'happy-dom' },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'tests/fuzz/**/*.test.ts', 'tests/torture/**/*.test.ts'],
          environment: 'node',
        },
      },
    ],
  },
});
