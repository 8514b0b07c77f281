import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';

import { RunControls } from './RunControls.tsx';

function Controls({ onRun, onCancel }: { readonly onRun: () => void; readonly onCancel: () => void }) {
  const [isRunning, setRunning] = useState(true);
  return (
    <RunControls
      filter=""
      limit="1000"
      progress={isRunning ? { done: 5, total: 1000 } : undefined}
      canRun
      onFilter={() => undefined}
      onLimit={() => undefined}
      onRun={onRun}
      onCancel={() => {
        onCancel();
        setRunning(false);
      }}
    />
  );
}

afterEach(cleanup);

// The texts of the buttons are not loaded here.
const runButton = () => screen.getAllByRole('button')[0]!;
const cancelButton = () => screen.getAllByRole('button')[1]!;

async function press(button: HTMLElement, way: string): Promise<void> {
  const user = userEvent.setup();
  if (way === 'click') return user.click(button);
  button.focus();
  return user.keyboard('{Enter}');
}

test.each(['click', 'Enter'])('cancels a run without starting the next one: %s', async (way) => {
  const [onRun, onCancel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(<Controls onRun={onRun} onCancel={onCancel} />);
  const cancel = cancelButton();
  await press(cancel, way);
  // The button keeps the focus, and a second press does nothing.
  expect(cancelButton()).toBe(cancel);
  expect(document.activeElement).toBe(cancel);
  await press(cancel, way);
  expect([onCancel.mock.calls.length, onRun.mock.calls.length]).toEqual([1, 0]);
});

test.each(['click', 'Enter'])('runs during a run that started by itself: %s', async (way) => {
  const [onRun, onCancel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(<Controls onRun={onRun} onCancel={onCancel} />);
  await press(runButton(), way);
  expect([onCancel.mock.calls.length, onRun.mock.calls.length]).toEqual([0, 1]);
});

test('runs on Enter in the filter', async () => {
  const user = userEvent.setup();
  const [onRun, onCancel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(<Controls onRun={onRun} onCancel={onCancel} />);
  await user.type(screen.getByRole('textbox'), '{Enter}');
  expect([onCancel.mock.calls.length, onRun.mock.calls.length]).toEqual([0, 1]);
});
