import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Param } from '#commands/model/kinds.ts';
import { p } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import type { Message } from '#commands/text/message.ts';
import { i18n } from '#src/i18n/i18n.ts';
import { Field } from '#src/ui/fields/Field.tsx';

import { ParamControl } from './controls.tsx';

// Today is Wednesday, 11 March 2026.
const context = testContext();
const onValue = vi.fn<(value: ArgValue | undefined, problem?: Message) => void>();

function Example({ param, start, weekStart }: { param: Param; start?: ArgValue; weekStart?: string }) {
  const [value, setValue] = useState(start);
  return (
    <Field label="When">
      <ParamControl
        param={param}
        value={value}
        isVarious={false}
        context={weekStart ? { ...context, preferences: { firstDayOfWeek: weekStart } } : context}
        onValue={(next, problem) => {
          onValue(next, problem);
          setValue(next);
        }}
      />
    </Field>
  );
}

// The calendar loads on first use, which may take longer than a test waits.
beforeAll(() => import('#src/ui/fields/Calendar.tsx'));
beforeEach(() => onValue.mockClear());
afterEach(async () => {
  cleanup();
  await i18n.changeLanguage('en');
});

const text = (): string => screen.getByRole<HTMLInputElement>('textbox', { name: 'When' }).value;
const calendarButton = (): HTMLElement => screen.getByRole('button', { name: /^Choose a/ });
const day = (name: string): HTMLElement => within(screen.getByRole('grid')).getByRole('button', { name });
const waitUntilClosed = (): Promise<void> => waitFor(() => expect(screen.queryByRole('grid')).toBeNull());

async function open(): Promise<ReturnType<typeof userEvent.setup>> {
  const user = userEvent.setup();
  await user.click(calendarButton());
  await screen.findByRole('grid');
  return user;
}

test('sets the picked day, closes, and restores focus', async () => {
  render(<Example param={p.time()} />);
  const user = await open();
  await user.click(day('Friday, 20 March 2026'));
  await waitUntilClosed();
  expect([text(), onValue.mock.lastCall?.[0]]).toEqual(['2026-03-20', '2026-03-20']);
  expect(document.activeElement).toBe(calendarButton());
});

test('moves by days, weeks, and months with the keyboard', async () => {
  render(<Example param={p.time()} />);
  const user = await open();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('11'));
  await user.keyboard('{ArrowRight}{ArrowDown}{PageDown}');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Sunday, 19 April 2026'));
  await user.keyboard('{Enter}');
  await waitUntilClosed();
  expect(text()).toBe('2026-04-19');
});

test('keeps the time of day, changes it, and clears the value', async () => {
  render(<Example param={p.time()} start="2026-03-11 20:00" />);
  const user = await open();
  expect(day('Today, Wednesday, 11 March 2026, selected').textContent).toBe('11');
  await user.click(day('Thursday, 12 March 2026'));
  await waitUntilClosed();
  expect(text()).toBe('2026-03-12 20:00');
  await open();
  const clock = screen.getByLabelText('Time (UTC)');
  await user.clear(clock);
  await user.type(clock, '07:30');
  expect(text()).toBe('2026-03-12 07:30');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await waitUntilClosed();
  expect([text(), onValue.mock.lastCall?.[0]]).toEqual(['', undefined]);
});

test('disables days that are out of bounds', async () => {
  render(<Example param={p.time({ min: '2026-03-10', max: 'now' })} />);
  await open();
  const enabledDays = within(screen.getByRole('grid'))
    .getAllByRole<HTMLButtonElement>('button')
    .filter((button) => !button.disabled);
  expect(enabledDays.map(({ textContent }) => textContent)).toEqual(['10', '11']);
});

test('sets a range from two days picked in either order', async () => {
  render(<Example param={p.range()} />);
  const user = await open();
  expect(screen.getByText('Choose the first day')).toBeTruthy();
  await user.click(day('Friday, 20 March 2026'));
  expect(screen.getByText('Choose the last day')).toBeTruthy();
  expect(onValue).not.toHaveBeenCalled();
  await user.click(day('Monday, 2 March 2026'));
  await waitUntilClosed();
  expect(text()).toBe('2026-03-02..2026-03-20');
  expect(onValue.mock.lastCall?.[0]).toEqual({ start: '2026-03-02', end: '2026-03-20' });
});

test('rejects a range with only one day unless it may be partial', async () => {
  const { unmount } = render(<Example param={p.range()} />);
  const user = await open();
  await user.click(day('Friday, 20 March 2026'));
  await user.keyboard('{Escape}');
  await waitUntilClosed();
  expect(onValue.mock.lastCall).toMatchObject([undefined, { key: 'core:validation.range' }]);
  expect(text()).toBe('2026-03-20..');
  unmount();
  render(<Example param={p.range({ partial: true })} />);
  await open();
  await user.click(day('Friday, 20 March 2026'));
  await user.keyboard('{Escape}');
  await waitUntilClosed();
  expect([text(), onValue.mock.lastCall?.[0]]).toEqual(['2026-03-20', { start: '2026-03-20', end: '2026-03-20' }]);
});

test('selects the days of a relative range', async () => {
  render(<Example param={p.range()} start={{ start: '-2d', end: 'now' }} />);
  await open();
  const selected = screen.getAllByRole('gridcell', { selected: true }).map(({ textContent }) => textContent);
  expect(selected).toEqual(['9', '10', '11']);
});

test("uses the console's language and the user's first day of the week", async () => {
  await i18n.changeLanguage('nl');
  render(<Example param={p.time()} weekStart="SUNDAY" />);
  await open();
  expect(screen.getByText('maart 2026')).toBeTruthy();
  const [first] = screen.getAllByRole('columnheader', { hidden: true });
  expect(first?.getAttribute('aria-label')).toBe('zondag');
});
