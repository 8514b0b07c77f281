import { execFileSync } from 'node:child_process';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { printLine, toArgv } from '#commands/line/line.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { invocations } from '#commands/testkit/arbitrary.ts';
import { gadget, tune } from '#commands/testkit/gadget.ts';

const registry = createRegistry([{ entity: gadget, commands: [tune] }]);

test('a shell reads a printed line back as the original words', () => {
  // A shell word cannot contain NUL, and neither can a command line.
  const samples = fc
    .sample(invocations(tune), 300)
    .filter((invocation) => !printLine(invocation, registry).includes('\0'));
  const script = samples.map((sample) => `printf '%s\\0' ${printLine(sample, registry)}`).join('\n');
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  expect(words).toEqual(samples.flatMap((sample) => toArgv(sample, registry)));
});
