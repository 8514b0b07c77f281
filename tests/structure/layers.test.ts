import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { steps } from '#tests/run/steps.mjs';

// Tests the `layers` step of `npm run check` on a tree with forbidden imports.

const root = mkdtempSync(join(tmpdir(), 'quarterdeck-layers-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Forbidden imports, each with the rule that it breaks. */
const FORBIDDEN: readonly (readonly [from: string, specifier: string, rule: string])[] = [
  ['commands/text/up.ts', '#commands/model/right.ts', 'commands-text-below'],
  ['commands/text/package.ts', '@bufbuild/protobuf', 'text-without-packages'],
  ['commands/units/package.ts', 'tabbable', 'units-only-decimal'],
  ['commands/model/package.ts', 'tabbable', 'commands-only-wire-packages'],
  ['commands/kit/yaml.ts', 'yaml', 'yaml-only-in-parsers'],
  ['commands/nouns/react.ts', 'react', 'react-only-in-src'],
  ['commands/query/node.ts', 'node:fs', 'node-only-in-cli-and-server'],
  ['commands/kit/console.ts', '#src/ui/right.ts', 'commands-on-proto'],
  ['commands/nowhere/lost.ts', '#commands/text/right.ts', 'commands-has-layers'],
  ['src/table/cli.ts', '#commands/cli/right.ts', 'src-on-commands'],
  ['src/ui/up.ts', '#src/keys/right.ts', 'src-ui-below'],
  ['src/ui/product.ts', '#commands/model/right.ts', 'ui-independent-of-domain'],
  ['src/run/tests.ts', '#src/run/testkit/right.ts', 'no-tests-in-production'],
  ['src/data/dev.ts', 'vitest', 'installed-packages'],
  ['server/db/up.ts', '#server/http/right.ts', 'server-db-below'],
  ['server/domains/command.ts', '#commands/model/right.ts', 'server-on-proto'],
  ['server/launch/inside.ts', '#server/db/right.ts', 'launch-stands-apart'],
  ['server/publishing/engine.ts', '#server/publishing/targets/right.ts', 'engine-independent-of-targets'],
  ['proto/up.ts', '#commands/text/right.ts', 'proto-stands-alone'],
  ['src/net/nothing.ts', './nothing-there.ts', 'resolves'],
  ['src/net/cycle-one.ts', './cycle-two.ts', 'no-cycle'],
  ['src/panel/one/a.ts', '#src/panel/two/right.ts', 'no-folder-cycle'],
  ['src/panel/two/b.ts', '#src/panel/one/right.ts', 'no-folder-cycle'],
];

function reportedImports(): readonly string[] {
  const [program = '', ...args] = steps.find(({ name }) => name === 'layers')?.command ?? [];
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  expect(stderr).not.toMatch(/ERROR/);
  expect(status === 0).toBe(/no dependency violations/.test(stdout));
  return [...stdout.matchAll(/error ([\w-]+): (\S+)/g)].map(([, rule, from]) => `${rule}: ${from}`);
}

test('reports every kind of forbidden import, including type imports', () => {
  for (const path of ['.dependency-cruiser.mjs', 'package.json', 'tests/run']) {
    cpSync(resolve(path), join(root, path), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const allowed = [
    'proto/right.ts',
    ...FORBIDDEN.flatMap(([, name]) => (name.endsWith('right.ts') ? [name.slice(1)] : [])),
  ];
  for (const path of allowed) write(path, 'export type Right = 1;\n');
  // A neighbor in the same layer imports each module, so none is an orphan.
  for (const path of allowed) write(path.replace('right.ts', 'neighbor.ts'), `import type {} from './right.ts';\n`);
  expect(reportedImports()).toEqual([]);

  for (const [path, specifier, rule] of FORBIDDEN) {
    // Types may be imported from a dev dependency; values may not.
    write(path, `import ${rule === 'installed-packages' ? '' : 'type {} from '}'${specifier}';\n`);
  }
  write('src/net/cycle-two.ts', `import type {} from './cycle-one.ts';\n`);
  write('src/state/alone.ts', 'export const alone = 1;\n');
  const imports = reportedImports();
  for (const [path, , rule] of FORBIDDEN) {
    // A cycle of folders is reported by folder.
    expect(imports).toContain(`${rule}: ${rule === 'no-folder-cycle' ? dirname(path) : path}`);
  }
  expect(imports).toContain('no-orphan: src/state/alone.ts');
});
