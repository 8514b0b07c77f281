import { expect, test } from 'vitest';

import { outputs } from '#server/launch/prepare.mjs';

import { sources } from './sources.ts';

const OURS = /^(proto|commands|src|server)\//;
/** The `bin` of package.json, which builds the command line but is not part of it. */
const BIN = 'commands/cli/quarterdeck.mjs';

// A bundle is rebuilt only if a listed source has changed, so a change to an unlisted source would not rebuild it.
test.each(outputs.map(({ name, from }) => [name, from] as const))('%s lists every source it imports', (_, from) => {
  const isSource = (path: string) => from.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const members = sources.filter(({ path }) => isSource(path) && path !== BIN);
  const unlisted = members.flatMap(({ imports }) => imports.filter((path) => OURS.test(path) && !isSource(path)));
  expect(members.length).toBeGreaterThan(0);
  expect(unlisted).toEqual([]);
});
