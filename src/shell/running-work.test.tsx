import { cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import { message } from '#commands/text/message.ts';
import { i18n, loadAllStrings } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';
import type { RunningCommand } from '#src/state/work.ts';

import { RunningWork } from './RunningWork.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { noun: app } = await import('#commands/nouns/console/app/noun.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  return loadersFor({ app });
});

beforeAll(async () => {
  i18n.addResourceBundle('en', 'crane', { move: 'Move 50,000 cranes' });
  await Promise.all([loadAll(), loadAllStrings()]);
  showGadgets();
});
afterEach(cleanup);

function show(fields: Partial<RunningCommand>): HTMLElement {
  const nothing = (): void => undefined;
  const task: RunningCommand = {
    id: 1,
    title: message('crane:move'),
    progress: undefined,
    writes: true,
    canPause: true,
    isPaused: false,
    cancel: nothing,
    pause: nothing,
    resume: nothing,
    ...fields,
  };
  const { container } = render(
    <Provider store={store}>
      <RunningWork task={task} />
    </Provider>,
  );
  return container;
}

const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
const pace = { itemsPerSecond: 1800.4, millisecondsLeft: 20_100 };

test('shows the progress, the rate, and the time left, and can be paused or canceled', () => {
  const container = show({ progress: { done: 13_000, total: 50_000 }, pace });
  expect(container.textContent).toContain('13,000 of 50,000');
  expect(container.textContent).toContain('1,800/s · 21 s left');
  expect(buttons()).toEqual(['PauseH', 'CancelX']);
});

test('can be continued while it is paused', () => {
  const container = show({ progress: { done: 13_000, total: 50_000 }, isPaused: true });
  expect(container.textContent).toContain('Paused: Move 50,000 cranes');
  expect(buttons()).toEqual(['ContinueC', 'CancelX']);
});

test('offers no pause before its calls, or for a single call', () => {
  show({ canPause: false });
  expect(buttons()).toEqual(['CancelX']);
});

test('announces the title, each quarter of a long run, and a pause', () => {
  const announcementOf = (fields: Partial<RunningCommand>) => {
    cleanup();
    show(fields);
    return screen.getByRole('status').textContent;
  };
  expect([
    announcementOf({}),
    announcementOf({ progress: { done: 24_000, total: 50_000 } }),
    announcementOf({ progress: { done: 12_499, total: 50_000 }, pace }),
    announcementOf({ progress: { done: 12_500, total: 50_000 }, pace }),
    announcementOf({ progress: { done: 49_000, total: 50_000 }, pace }),
    announcementOf({ progress: { done: 49_000, total: 50_000 }, isPaused: true }),
  ]).toEqual([
    'Move 50,000 cranes',
    'Move 50,000 cranes',
    'Move 50,000 cranes',
    'Move 50,000 cranes, 25%',
    'Move 50,000 cranes, 75%',
    'Paused: Move 50,000 cranes',
  ]);
});
