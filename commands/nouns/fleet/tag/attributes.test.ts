import { expect, test } from 'vitest';

import { checkValue } from '#commands/run/values.ts';
import { testContext } from '#commands/testkit/context.ts';

import { tagParams } from './attributes.ts';

test.each([
  ['well', undefined],
  ['wel', { key: 'tag:validation.typeNear', values: { value: 'wel', near: 'well' } }],
  ['pump', { key: 'tag:validation.type', values: { value: 'pump', types: 'group, well, site, production_area' } }],
])('rejects custom types unless support sets them, and suggests a type similar to %s', (value, problem) => {
  const { actor } = testContext();
  const context = testContext({ actor: { ...actor, abilities: new Set() } });
  expect(checkValue(tagParams.type, value, context)).toEqual(problem);
});
