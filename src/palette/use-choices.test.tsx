import { renderHook, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import { command } from '#commands/core/command';
import type { Suggestion } from '#commands/core/suggestion';
import { p } from '#commands/core/params';
import { testContext } from '#commands/testing/context';

import { lost, reached } from '../data/reach.ts';
import { useChoices } from './use-choices.ts';

it('looks for the choices again when the server is back', async () => {
  const suggest = vi.fn<() => Promise<readonly Suggestion[]>>();
  suggest.mockRejectedValueOnce(new TypeError('away')).mockResolvedValue([{ value: 'avo', label: 'Avocet' }]);
  const of = command({ id: 'app.try', effect: 'read', params: { words: p.words({ suggest }) }, run: async () => ({}) });
  const context = testContext();
  const { result } = renderHook(() => useChoices(of, 'words', 'avo', {}, context));
  await waitFor(() => expect(result.current.problem).toBeDefined());
  lost();
  reached();
  await waitFor(() => expect(result.current.problem).toBeUndefined());
  expect(suggest).toHaveBeenCalledTimes(2);
});
