import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import type { Suggestion } from '#commands/core/kinds';
import { p } from '#commands/core/params';
import { testContext } from '#commands/testing/context';

import { lost, reached } from '../../data/reach.ts';
import { ParamControl } from './controls.tsx';

it('looks for what was typed in a picker again when the server is back', async () => {
  const suggest = vi.fn<() => Promise<readonly Suggestion[]>>();
  suggest.mockRejectedValueOnce(new TypeError('away')).mockResolvedValue([{ value: 'avo', label: 'Avocet' }]);
  render(
    <ParamControl
      param={p.words({ suggest })}
      value={[]}
      various={false}
      onValue={() => undefined}
      context={testContext()}
    />,
  );
  await userEvent.click(screen.getByRole('combobox'));
  await vi.waitFor(() => expect(suggest).toHaveBeenCalledTimes(1));
  lost();
  reached();
  expect(await screen.findByRole('option', { name: /Avocet/ })).toBeTruthy();
});
