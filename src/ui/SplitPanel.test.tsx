import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { SplitPanel } from './SplitPanel.tsx';

afterEach(cleanup);

function Screen({ open = true, from = 380 }: { open?: boolean; from?: number }) {
  const [width, setWidth] = useState(from);
  return (
    <SplitPanel width={width} onWidth={setWidth} resizeLabel="Resize panel" panel={open && 'Casing pressure'}>
      <input aria-label="Filter" />
    </SplitPanel>
  );
}

const width = () => Number(screen.getByRole('separator', { name: 'Resize panel' }).getAttribute('aria-valuenow'));

it('is resized with the keyboard, between 360 and 720 px', async () => {
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

it('opens within its bounds whatever width was kept', () => {
  render(<Screen from={5_000} />);
  expect(width()).toBe(720);
});

it('leaves what stands beside it as it was when it closes', async () => {
  const { rerender } = render(<Screen />);
  await userEvent.type(screen.getByLabelText('Filter'), 'health:ERROR');
  rerender(<Screen open={false} />);
  expect(screen.queryByRole('separator')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Filter').value).toBe('health:ERROR');
});

function Stack() {
  const [shown, setShown] = useState<readonly string[]>([]);
  const top = shown.at(-1);
  const panel = top && (
    <article key={top} aria-label={top}>
      <button type="button" onClick={() => setShown([...shown, 'Tag'])}>
        Open tag
      </button>
      <button type="button" onClick={() => setShown(shown.slice(0, -1))}>
        Close
      </button>
    </article>
  );
  return (
    <SplitPanel width={380} onWidth={() => {}} resizeLabel="Resize panel" panel={panel}>
      <button type="button" onClick={() => setShown(['Device'])}>
        Open device
      </button>
    </SplitPanel>
  );
}

it('keeps the focus in the panel when it shows something else, and gives it back when it closes', async () => {
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

it('gives no focus back to a field that was left before the panel got it', async () => {
  const user = userEvent.setup();
  render(<Stack />);
  const opener = screen.getByRole('button', { name: 'Open device' });
  await user.click(opener);
  opener.blur();
  screen.getByRole('button', { name: 'Close' }).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(document.body);
});

it('takes no focus from somebody who left the panel by a click beside it', async () => {
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
