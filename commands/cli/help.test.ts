import { expect, test } from 'vitest';

import { registry } from '../all.ts';
import { parseArgv } from '../core/line.ts';
import { createTranslator, translateWith } from '../i18n.ts';
import * as resources from '../locales/resources.ts';
import { exampleOf } from './examples.ts';
import { Help, runsHere } from './help.ts';
import { main } from './main.ts';
import { testIo } from './testing/io.ts';

const help = new Help(registry, translateWith(await createTranslator('en', resources)));

test('there is help on every level, all of it in words', () => {
  const pages = [
    [],
    ...registry.commands.map(({ noun, verb }) => [noun, verb]),
    ...registry.commands.map(({ noun }) => [noun]),
  ];
  const text = pages.map((words) => help.about(words)).join('\n');
  // What has no text shows as its key.
  expect(text.match(/\b(cli|commands|columns|filter|params)\.[a-z.]+/g)).toBeNull();
  expect(text.match(/\b(undefined|NaN|\[object)/)).toBeNull();
});

test('help on a command names its arguments, what they take, and an example that parses', async () => {
  const io = testIo();
  expect(await main(['tag', 'assign', '--help'], io)).toBe(0);
  expect(io.printed()).toContain('npx quarterdeck tag assign DEVICES --tag NAME');
  expect(io.printed()).toContain('health:');
  const examples = registry.commands.filter(runsHere).map(exampleOf);
  expect(examples.map(({ id, args }) => [id, args])).not.toHaveLength(0);
});

test('an unknown noun or verb lists the ones there are', async () => {
  const io = testIo();
  expect(await main(['devise', 'list'], io)).toBe(2);
  expect(io.said()).toContain('device');
  expect(parseArgv(['device', 'explode'], registry).problems[0]?.message.values?.['verbs']).toContain('set-lifecycle');
});
