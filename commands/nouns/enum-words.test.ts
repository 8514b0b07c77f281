import { expect, test } from 'vitest';

import { registry } from './all.ts';
import { everyEnum } from '#commands/kit/enum-words.ts';
import { createTranslator } from '#commands/locales/i18n.ts';
import * as resources from '#commands/nouns/texts.ts';

const english = await createTranslator('en', resources);

test.each(everyEnum().map((words) => [words.texts, words] as const))('%s says every value in words', (_, words) => {
  const unsaid = Object.keys(words.of).filter((name) => !english.exists(words.named(name).key));
  expect(unsaid).toEqual([]);
  // A value of a later version of the contract.
  expect(words.word(9999)).toEqual({ key: 'common:unknown', values: { value: 9999 } });
});

test('what the console shows of the contract is declared', () => {
  expect(everyEnum().map(({ texts }) => texts)).toEqual(
    expect.arrayContaining(['device:lifecycle', 'device:type', 'device:frequency', 'event:type', 'role:permission']),
  );
});

test('every choice is offered in words', () => {
  const constants = registry.commands.flatMap((command) =>
    Object.entries(command.params).flatMap(([name, param]) => {
      if (param.kind !== 'choice' && param.kind !== 'choices') return [];
      const { options, label } = param;
      const unsaid = options.filter((option) => !label || !english.exists(label(option).key));
      return unsaid.map((option) => `${command.id} ${name} ${option}`);
    }),
  );
  expect(constants).toEqual([]);
});
