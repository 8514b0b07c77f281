import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';

import type { ItemResult } from '#commands/model/result.ts';
import { message } from '#commands/text/message.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { store } from '#src/state/store.ts';
import { reportAtom } from '#src/state/work.ts';

import { ReportDialog } from './ReportDialog.tsx';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);

afterEach(cleanup);

function show(results: readonly ItemResult[]): void {
  showGadgets();
  store.set(reportAtom, {
    invocation: { id: 'gadget.mark', args: {} },
    outcome: { results },
    inverse: undefined,
    organization: 'northwind',
  });
  render(
    <Provider store={store}>
      <ReportDialog />
    </Provider>,
  );
}

const rows = (): string[] =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);

it("lists each item's result, failures first, and closes on Close", async () => {
  const failure = { code: 'not_found', message: message('gadget:noPaint'), retryable: false };
  show([
    { id: 'A', label: 'North pump' },
    { id: 'B', label: 'South pump', failure },
    { id: 'C', label: 'West pump', skipped: true },
  ]);
  expect(screen.getByText('1 failed · 1 not tried · 1 done')).toBeTruthy();
  expect(rows()).toEqual(['South pump BThere is no paint', 'West pump CNot tried', 'North pump ADone']);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('counts the rows that it does not render', () => {
  const failure = { code: 'not_found', message: message('gadget:noPaint'), retryable: false };
  const many = (letter: string, count: number, fields: Partial<ItemResult>): ItemResult[] =>
    Array.from({ length: count }, (_, index) => ({ id: `${letter}${index}`, label: 'pump', ...fields }));
  show([...many('A', 1500, {}), ...many('B', 500, { failure })]);
  expect(screen.getByText('500 failed · 1,500 done')).toBeTruthy();
  expect(rows().filter((row) => row.startsWith('and'))).toEqual(['and 300 more', 'and 1,400 moreDone']);
});
