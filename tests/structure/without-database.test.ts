import { readdirSync } from 'node:fs';

import { expect, test } from 'vitest';

import { withoutDatabase } from '#tests/run/without-database.ts';

import { unwantedImports } from './imports.ts';

test('tests that do not run on PostgreSQL open no database', () => {
  const tests = withoutDatabase.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  expect(tests.length).toBeGreaterThan(20);
  expect(unwantedImports(tests, /^server\/testkit\/database\.ts$/)).toEqual([]);
});
