import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import type { HostCapabilities } from '#commands/model/host.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { ItemResult } from '#commands/model/result.ts';
import { message } from '#commands/text/message.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { store } from '#src/state/store.ts';
import { reportAtom } from '#src/state/work.ts';

import { ReportDialog } from './ReportDialog.tsx';

vi.mock('#src/registry/loaders.ts', async () => {
  const { gadget } = await import('#commands/testkit/gadget.ts');
  const { noun: app } = await import('#commands/nouns/console/app/noun.ts');
  const { loadersFor } = await import('#src/registry/testkit/loaders.ts');
  const { mark } = await import('#src/palette/testkit/registry.ts');
  return loadersFor({ gadget: { entity: gadget, commands: [mark] }, app });
});
const invoke = vi.hoisted(() => vi.fn<(invocation: Invocation) => Promise<void>>(() => Promise.resolve()));
vi.mock('#src/run/invoke.ts', () => ({ invoke }));
beforeAll(() => Promise.all([loadAll(), loadAllStrings()]));

afterEach(cleanup);

function show(results: readonly ItemResult[], interrupted = false): void {
  showGadgets();
  store.set(reportAtom, {
    invocation: { id: 'gadget.mark', args: {} },
    outcome: { results },
    inverse: undefined,
    organization: 'northwind',
    ...(interrupted ? { interrupted } : {}),
  });
  render(
    <Provider store={store}>
      <ReportDialog />
    </Provider>,
  );
}

/** Returns the visible results. Each has its title with the count, followed by its items. */
const results = (): string[][] =>
  screen.getAllByRole('region').map((section) => [
    within(section).getByRole('heading').textContent,
    ...within(section)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ]);

const noPaint = { code: 'not_found', message: message('gadget:noPaint'), retryable: false };
const noPlaid = { ...noPaint, message: message('gadget:noPlaid') };

test('lists failed items by reason, most frequent first, before the others', async () => {
  show([
    { id: 'A', label: 'North pump' },
    { id: 'B', label: 'South pump', failure: noPlaid },
    { id: 'C', label: 'West pump', skipped: true },
    { id: 'D', label: 'D', failure: noPaint },
    { id: 'E', label: 'East pump', failure: noPaint },
  ]);
  expect(screen.getByText('3 failed · 1 not tried · 1 done')).toBeTruthy();
  expect(results()).toEqual([
    ['There is no paint2', 'D', 'EEast pump'],
    ['There is no plaid paint1', 'BSouth pump'],
    ['Not tried1', 'CWest pump'],
    ['Done1', 'ANorth pump'],
  ]);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test("counts the items that it doesn't list", () => {
  const manyResults = (letter: string, count: number, fields: Partial<ItemResult>): ItemResult[] =>
    Array.from({ length: count }, (_, index) => ({ id: `${letter}${index}`, label: 'pump', ...fields }));
  show([...manyResults('A', 1500, {}), ...manyResults('B', 500, { failure: noPaint })]);
  expect(screen.getByText('500 failed · 1,500 done')).toBeTruthy();
  expect(results().map((group) => [group[0], group.length, group.at(-1)])).toEqual([
    ['There is no paint500', 202, 'and 300 more'],
    ['Done1,500', 102, 'and 1,400 more'],
  ]);
});

test('focuses the button that retries, and retries on its key', async () => {
  show([{ id: 'A', label: 'North pump', failure: noPaint }]);
  expect(document.activeElement).toBe(screen.getAllByRole('button')[0]);
  await userEvent.setup().keyboard('{Shift>}R{/Shift}');
  expect(invoke.mock.calls).toEqual([[{ id: 'app.retry-failures', args: {} }]]);
});

const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent);
const unanswered = { code: 'unavailable', message: message('gadget:noPaint'), retryable: true };

test('offers to select the items by their result', async () => {
  provide({ work: {} as HostCapabilities['work'] });
  show([
    { id: 'A', label: 'North pump' },
    { id: 'B', label: 'South pump', failure: noPlaid },
    { id: 'C', label: 'West pump', skipped: true },
    { id: 'D', label: 'East pump', failure: unanswered },
  ]);
  expect(screen.getByText('1 failed · 1 without a response · 1 not tried · 1 done')).toBeTruthy();
  expect(names()).toEqual([
    'Retry what failedR',
    'ContinueC',
    'Save as CSV',
    'Close',
    'Select 1 failed',
    'Select 1 without a response',
    'Select 1 not tried',
    'Select 1 done',
  ]);
  invoke.mockClear();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Select 1 not tried' }));
  expect(invoke.mock.calls).toEqual([[{ id: 'app.select-results', args: { result: 'skipped' } }]]);
});

test('continues an interrupted run first, and on its key', async () => {
  show(
    [
      { id: 'A', label: 'North pump', failure: unanswered },
      { id: 'B', label: 'South pump', skipped: true },
    ],
    true,
  );
  expect(document.activeElement?.textContent).toBe('ContinueC');
  invoke.mockClear();
  await userEvent.setup().keyboard('{Shift>}C{/Shift}');
  expect(invoke.mock.calls).toEqual([[{ id: 'app.continue', args: {} }]]);
});

test('closes first if everything is done', () => {
  show([{ id: 'A', label: 'North pump' }]);
  expect(document.activeElement?.textContent).toBe('Close');
  expect(names()).toEqual(['Save as CSV', 'Close', 'Select 1 done']);
});
