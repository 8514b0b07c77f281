import { expect, test } from 'vitest';

import { token } from '#commands/nouns/integrations/token/entity.ts';
import { formatDay, formatMoment } from '#commands/text/moment.ts';

import { tableColumns } from './entity-columns.ts';

test('makes a column of times or days as wide as its values if there is room', () => {
  const columns = tableColumns(token, {
    translate: ({ key }) => key,
    moment: (ms, precision) => (precision === 'day' ? formatDay(ms) : formatMoment(ms)),
    levelName: (level) => level,
  });
  const samplesOf = (name: string) => columns.find(({ id }) => id === name)?.comfortableSamples;
  expect(samplesOf('expires')).toContain(formatMoment(Date.UTC(2026, 8, 28, 12)));
  expect(samplesOf('used')).toContain('28 Sept 2026');
  expect(samplesOf('name')).toBeUndefined();
});
