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

test.each(['click', 'Enter'])('cancels a run without starting the next one: %s', async (way) => {
  const user = userEvent.setup();
  const [onRun, onCancel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(<Controls onRun={onRun} onCancel={onCancel} />);
  // The only button. Its texts are not loaded here.
  const cancel = screen.getByRole('button');
  if (way === 'click') await user.click(cancel);
  else {
    cancel.focus();
    await user.keyboard('{Enter}');
  }
  expect([onCancel.mock.calls.length, onRun.mock.calls.length]).toEqual([1, 0]);
  // The button keeps the focus. A browser would submit the form if it became a submit button.
  expect(screen.getByRole('button')).toBe(cancel);
  expect(document.activeElement).toBe(cancel);
  expect(cancel).toHaveProperty('type', 'button');
  await user.click(cancel);
  expect(onRun).toHaveBeenCalledOnce();
});

test('runs on Enter in the filter', async () => {
  const user = userEvent.setup();
  const [onRun, onCancel] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(<Controls onRun={onRun} onCancel={onCancel} />);
  await user.click(screen.getByRole('button'));
  await user.type(screen.getByRole('textbox'), '{Enter}');
  expect([onCancel.mock.calls.length, onRun.mock.calls.length]).toEqual([1, 1]);
});
