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
