import { Code, ConnectError } from '@connectrpc/connect';
import { renderHook, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import { p } from '#commands/model/params.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';
import { reportUnreachable, reportReachable } from '#src/net/reach.ts';

import { useChoices } from './use-choices.ts';

test('reports an unreachable server and reloads the choices once it is back', async () => {
  const suggest = vi.fn<() => Promise<readonly Suggestion[]>>();
  suggest
    .mockRejectedValueOnce(new ConnectError('unavailable', Code.Unavailable))
    .mockResolvedValue([{ value: 'avo', label: 'Avocet' }]);
  const tryCommand = command({
    id: 'app.try',
    effect: 'read',
    params: { words: p.words({ suggest }) },
    run: async () => ({}),
  });
  const context = testContext();
  const { result } = renderHook(() => useChoices(tryCommand, 'words', 'avo', {}, context));
  const unreachable = message('console:away.title', { host: window.location.host });
  await waitFor(() => expect(result.current.problem).toEqual(unreachable));
  reportUnreachable();
  reportReachable();
  await waitFor(() => expect(result.current.problem).toBeUndefined());
  expect(suggest).toHaveBeenCalledTimes(2);
});

test.each(['text', 'words'] as const)(
  'of %s whose suggestions are all values, lists what matches, best first',
  async (kind) => {
    const suggest = async (): Promise<readonly Suggestion[]> => [
      { value: 'depressurized', label: 'Depressurized' },
      { value: 'temperature', label: 'Temperature' },
      { value: 'pressure', label: 'Pressure' },
    ];
    const commandWith = (closed: boolean) =>
      command({
        id: 'app.try',
        effect: 'read',
        params: { value: kind === 'text' ? p.text({ suggest, closed }) : p.words({ suggest, closed }) },
        run: async () => ({}),
      });
    const context = testContext();
    const rowsOf = async (isClosed: boolean, count: number) => {
      const tryCommand = commandWith(isClosed);
      const { result } = renderHook(() => useChoices(tryCommand, 'value', 'press', {}, context));
      const rows = () => result.current.groups.flatMap((group) => group.rows);
      await waitFor(() => expect(rows()).toHaveLength(count));
      return rows().map(({ label }) => label);
    };
    expect(await rowsOf(true, 2)).toEqual(['Pressure', 'Depressurized']);
    expect(await rowsOf(false, 4)).toEqual(['press', 'Depressurized', 'Temperature', 'Pressure']);
  },
);
