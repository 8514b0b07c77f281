import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

import { SplitPanel } from './SplitPanel.tsx';

afterEach(cleanup);

function Screen({ open = true, initialWidth = 380 }: { open?: boolean; initialWidth?: number }) {
  const [width, setWidth] = useState(initialWidth);
  return (
    <SplitPanel width={width} onWidth={setWidth} resizeLabel="Resize panel" panel={open && 'Casing pressure'}>
      <input aria-label="Filter" />
    </SplitPanel>
  );
}

const width = () => Number(screen.getByRole('separator', { name: 'Resize panel' }).getAttribute('aria-valuenow'));

test('is resizable with the keyboard between 360 and 720 px', async () => {
  const user = userEvent.setup();
  render(<Screen />);
  screen.getByRole('separator').focus();
  await user.keyboard('{ArrowLeft}');
  expect(width()).toBe(396);
  await user.keyboard('{End}{ArrowLeft}');
  expect(width()).toBe(720);
  await user.keyboard('{Home}{ArrowRight}');
  expect(width()).toBe(360);
});

test('clamps the stored width', () => {
  render(<Screen initialWidth={5000} />);
  expect(width()).toBe(720);
});

test('keeps the main content when the panel closes', async () => {
  const { rerender } = render(<Screen />);
  await userEvent.type(screen.getByLabelText('Filter'), 'health:ERROR');
  rerender(<Screen open={false} />);
  expect(screen.queryByRole('separator')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Filter').value).toBe('health:ERROR');
});

function Stack() {
  const [stack, setStack] = useState<readonly string[]>([]);
  const top = stack.at(-1);
  const panel = top && (
    <article key={top} aria-label={top}>
      <button type="button" onClick={() => setStack([...stack, 'Tag'])}>
        Open tag
      </button>
      <button type="button" onClick={() => setStack(stack.slice(0, -1))}>
        Close
      </button>
    </article>
  );
  return (
    <SplitPanel width={380} onWidth={() => {}} resizeLabel="Resize panel" panel={panel}>
      <button type="button" onClick={() => setStack(['Device'])}>
        Open device
      </button>
    </SplitPanel>
  );
}

test('keeps focus in the panel when its content changes and restores it on close', async () => {
  const user = userEvent.setup();
  render(<Stack />);
  const opener = screen.getByRole('button', { name: 'Open device' });
  await user.click(opener);
  await user.click(screen.getByRole('button', { name: 'Open tag' }));
  expect(document.activeElement).toBe(screen.getByRole('article', { name: 'Tag' }).parentElement);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(document.activeElement).toBe(screen.getByRole('article', { name: 'Device' }).parentElement);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(document.activeElement).toBe(opener);
});

test("doesn't restore focus to an element that had already lost it", async () => {
  const user = userEvent.setup();
  render(<Stack />);
  const opener = screen.getByRole('button', { name: 'Open device' });
  await user.click(opener);
  opener.blur();
  screen.getByRole('button', { name: 'Close' }).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(document.body);
});

test('does not take focus after a click outside the panel', async () => {
  const user = userEvent.setup();
  render(<Stack />);
  const opener = screen.getByRole('button', { name: 'Open device' });
  await user.click(opener);
  screen.getByRole('button', { name: 'Close' }).focus();
  await user.click(document.body);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('article')).toBeNull();
  expect(document.activeElement).toBe(document.body);
});
