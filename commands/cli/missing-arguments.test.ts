import { expect, test } from 'vitest';

import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { Command } from '#commands/model/command.ts';
import { registry } from '#commands/nouns/all.ts';

import { missingArgumentMessage } from './missing-arguments.ts';
import * as resources from './strings.ts';
import { runsInTerminal } from './terminal-commands.ts';

const translate = translateWith(await createTranslator('en', resources));
const missingText = (id: string, name: string) =>
  translate(missingArgumentMessage(registry.command(id) as Command, name));

test.each([
  ['tag.assign', 'devices', /^Which devices\? Give names, numbers, or a filter\.$/],
  ['tag.assign', 'tag', /^Which tag\? Add --tag NAME\.$/],
  ['tag.delete', 'tags', /^Which tags\? Give names, IDs, or a filter\.$/],
  ['tag.create', 'name', /^What name\? Write it after “tag create”\.$/],
  [
    'device.set-identifier',
    'identifier',
    /^What .*\? (Write it after “device set-identifier DEVICES”|Add --identifier TEXT)\.$/,
  ],
  ['device.set-lifecycle', 'lifecycle', /^Which lifecycle\? Give one of [A-Z_]+, /],
  ['me.accept-terms', 'accept', /^“I accept” is required. Add --accept\.$/],
])('tells users of %s how to pass the missing argument %s', (id, name, expected) => {
  expect(missingText(id, name)).toMatch(expected);
});

test('has a complete sentence for every required argument', () => {
  const sentences = registry.commands.filter(runsInTerminal).flatMap((command) =>
    Object.entries(command.params)
      .filter(([, { required }]) => required)
      .map(([name]) => missingText(command.id, name)),
  );
  expect(sentences.length).toBeGreaterThan(30);
  expect(sentences.filter((text) => /\b(undefined|core:|missing)\b|\{\{/.test(text))).toEqual([]);
});
