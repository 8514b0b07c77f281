import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { p } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';

import { ParamControl } from './controls.tsx';

test('reports a name that is there twice instead of keeping only its last value', async () => {
  const onValue = vi.fn<(...result: readonly unknown[]) => void>();
  render(
    <ParamControl
      param={p.pairs({})}
      value={{ site: 'north' }}
      isVarious={false}
      onValue={onValue}
      context={testContext()}
    />,
  );
  const field = screen.getByRole('textbox');
  await userEvent.type(field, '\n\nsite=south');
  const text = 'site=north\n\nsite=south';
  expect(onValue).toHaveBeenLastCalledWith(
    undefined,
    { key: 'core:validation.pairTwice', values: { name: 'site' } },
    text,
  );
  await userEvent.type(field, '{Backspace>11/}\nzone=3');
  expect(onValue).toHaveBeenLastCalledWith({ site: 'north', zone: '3' });
});
