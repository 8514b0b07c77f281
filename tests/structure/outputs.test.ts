import { expect, test } from 'vitest';
import { outputs } from '#server/launch/prepare.mjs';
import { sources } from './sources.ts';

const OURS = /^(proto|commands|src|server)\//;
/** The bin of package.json builds the command line, and is not in it. */
const BIN = 'commands/cli/quarterdeck.mjs';

// A start builds what its sources say is stale: a change elsewhere would never reach the bundle.
test.each(outputs.map(({ name, from }) => [name, from] as const))('%s is built from all that it imports', (_, from) => {
  const isSource = (path: string) => from.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const members = sources.filter(({ path }) => isSource(path) && path !== BIN);
  const elsewhere = members.flatMap(({ imports }) => imports.filter((path) => OURS.test(path) && !isSource(path)));
  expect(members.length).toBeGreaterThan(0);
  expect(elsewhere).toEqual([]);
});
