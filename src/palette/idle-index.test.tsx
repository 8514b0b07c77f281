import { renderHook } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, expect, test, vi } from 'vitest';

import { loadAllStrings, nounText, translate } from '#src/i18n/i18n.ts';
import { loadAll, registry } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';

import { commandIndex } from './rows/command-index.ts';
import { useIdleIndex } from './use-idle-index.ts';

afterEach(() => void vi.unstubAllGlobals());

test('builds the index of commands when the browser is idle', async () => {
  const tasks: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (task: () => void) => tasks.push(task));
  vi.stubGlobal('cancelIdleCallback', (handle: number) => {
    tasks[handle - 1] = () => undefined;
  });
  await Promise.all([loadAll(), loadAllStrings()]);
  const { unmount } = renderHook(useIdleIndex, {
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  });
  for (const task of tasks) task();
  const translateTitle = vi.fn<typeof translate>(translate);
  commandIndex({ registry: registry(), language: 'en', translate: translateTitle, words: nounText });
  expect(translateTitle, 'the index is there already').not.toHaveBeenCalled();
  unmount();
});
