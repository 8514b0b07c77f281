import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Button } from './Button.tsx';
import { IconButton } from './IconButton.tsx';
import { TooltipLayer } from './overlays/TooltipLayer.tsx';
import { tip } from './tip.ts';

const onEscape = vi.fn<(prevented: boolean) => void>();
const listen = (event: KeyboardEvent) => event.key === 'Escape' && onEscape(event.defaultPrevented);

beforeEach(() => {
  window.addEventListener('keydown', listen);
  // Each element is as many px wide as it has characters, in a cell 10 px wide.
  vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (this: HTMLElement) {
    return this.textContent.length;
  });
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(10);
  render(
    <>
      <IconButton
        label="Clear the filter"
        keys={{ text: '0', attributes: { 'aria-keyshortcuts': '0' } }}
        icon={<svg />}
      />
      <Button disabledReason="Only support can do this">Delete</Button>
      <span className="truncate">Short</span>
      <span className="truncate">Nordlys Instruments AS</span>
      <div role="option" aria-selected={false} aria-label="Firmware">
        <span className="truncate">gateway-firmware</span> <span className="truncate">the version on the gateway</span>
      </div>
      <button type="button" aria-expanded {...tip('Open the menu')}>
        Menu
      </button>
      <TooltipLayer />
    </>,
  );
});
afterEach(() => {
  cleanup();
  window.removeEventListener('keydown', listen);
  onEscape.mockClear();
});

const tooltipText = (): string | undefined => screen.queryByRole('tooltip', { hidden: true })?.textContent;

test('shows the label and key of an icon button on hover', async () => {
  await userEvent.hover(screen.getByRole('button', { name: 'Clear the filter' }));
  expect((await screen.findByRole('tooltip', { hidden: true })).textContent).toContain('Clear the filter');
  expect(tooltipText()).toContain('0');
  await userEvent.unhover(screen.getByRole('button', { name: 'Clear the filter' }));
  await userEvent.hover(document.body);
  await waitFor(() => expect(tooltipText()).toBeUndefined());
});

test('shows why a button is disabled when the button has keyboard focus', async () => {
  await userEvent.tab();
  await userEvent.tab();
  const button = screen.getByRole('button', { name: 'Delete' });
  expect(document.activeElement).toBe(button);
  expect((await screen.findByRole('tooltip', { hidden: true })).textContent).toContain('Only support can do this');
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toBe('Only support can do this');
});

test('shows the full text only if it is truncated', async () => {
  await userEvent.hover(screen.getByText('Nordlys Instruments AS'));
  expect((await screen.findByRole('tooltip', { hidden: true })).textContent).toContain('Nordlys Instruments AS');
  await userEvent.hover(screen.getByText('Short'));
  await waitFor(() => expect(tooltipText()).toBeUndefined());
});

test("shows an option's full text beside its list, without covering other options", async () => {
  await userEvent.hover(screen.getByText('gateway-firmware'));
  const tooltip = await screen.findByRole('tooltip', { hidden: true });
  expect(tooltip.textContent).toContain('gateway-firmware\nthe version on the gateway');
  expect(document.querySelector('[data-side]')?.getAttribute('data-side')).toBe('right');
});

test('closes on any key without consuming the event', async () => {
  await userEvent.hover(screen.getByText('Nordlys Instruments AS'));
  await screen.findByRole('tooltip', { hidden: true });
  act(() => void fireEvent.keyDown(document.body, { key: 'Escape' }));
  expect(tooltipText()).toBeUndefined();
  expect(onEscape).toHaveBeenCalledWith(false);
});

test('ignores the pointer and stays hidden over the button of an open menu', async () => {
  await userEvent.hover(screen.getByText('Nordlys Instruments AS'));
  const layer = (await screen.findByRole('tooltip', { hidden: true })).closest('[data-side]');
  expect(layer?.className).toContain('pointer-events-none');
  await userEvent.hover(screen.getByRole('button', { name: 'Menu' }));
  await waitFor(() => expect(tooltipText()).toBeUndefined());
});
