import { expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { allEnumLabels } from '#commands/kit/enum-labels.ts';
import { createTranslator } from '#commands/locales/i18n.ts';

import { registry } from './all.ts';

const english = await createTranslator('en', resources);

test.each(allEnumLabels().map((labels) => [labels.prefix, labels] as const))(
  '%s has a translation for every value',
  (_, labels) => {
    const missingNames = Object.keys(labels.enumObject).filter((name) => !english.exists(labels.byName(name).key));
    expect(missingNames).toEqual([]);
    // A later version of the contract can have values that this version does not define.
    expect(labels.text(9999)).toEqual({ key: 'common:unknown', values: { value: 9999 } });
  },
);

test('includes the enums of the contract that the console shows', () => {
  expect(allEnumLabels().map(({ prefix }) => prefix)).toEqual(
    expect.arrayContaining(['device:lifecycle', 'device:type', 'device:frequency', 'event:type', 'role:permission']),
  );
});

test('every choice has a label', () => {
  const unlabeledOptions = registry.commands.flatMap((command) =>
    Object.entries(command.params).flatMap(([name, param]) => {
      if (param.kind !== 'choice' && param.kind !== 'choices') return [];
      const { options, label } = param;
      const missingOptions = options.filter((option) => !label || !english.exists(label(option).key));
      return missingOptions.map((option) => `${command.id} ${name} ${option}`);
    }),
  );
  expect(unlabeledOptions).toEqual([]);
});
