import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, it } from 'vitest';

import type { Change } from '#commands/model/plan.ts';
import { testContext } from '#commands/testkit/context.ts';
import { simplePlan, tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { addTexts, allTexts } from '#src/i18n/i18n.ts';
import { productTexts } from '#src/i18n/product-texts.ts';

import { PlanView } from './PlanView.tsx';

beforeAll(async () => {
  addTexts(productTexts);
  await allTexts();
});
afterEach(cleanup);

it.each([1, 9])('capitalizes the names of the fields that change, for %i devices', async (count) => {
  const changesOf = (part: Omit<Change, 'id' | 'label'>) =>
    Array.from({ length: count }, (_, index) => ({ ...part, id: `${index}`, label: `Pump ${index}` }));
  const changes = [
    ...changesOf({ field: message('device:fields.lifecycle'), before: 'Installed', after: 'Paused' }),
    ...changesOf({ field: message('device:columns.tags'), added: ['Needs visit'] }),
  ];
  const plan = { ...(await simplePlan()), changes };
  render(<PlanView prepared={{ command: tune, plan }} organization={testContext().organization} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/^Pump 0 /, ''))).toEqual([
    'Lifecycle Installed → Paused',
    'Tags + Needs visit',
  ]);
});
