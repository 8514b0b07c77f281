import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { sessionAtom } from '#src/auth/session.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { overridesAtom, type Overrides } from '#src/keymap/bindings.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { directory, loadAll } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { paletteAtom, tourOpenAtom } from '#src/state/layers.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';
import type { UserSession } from '#src/state/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { createEvents, type LayoutName } from '../testkit/layouts.ts';
import { useFirstTour } from './first-tour.ts';
import { tourSteps } from './steps.ts';
import { hasSeenTourInBrowser } from './tour-storage.ts';
import { Tour } from './Tour.tsx';

beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings()]);
});

const open = vi.fn<() => void>();

beforeEach(() => {
  showGadgets();
  store.set(overridesAtom, {});
  store.set(sessionAtom, { status: 'signed-in', method: 'token', id: 'demo-viewer' } as never);
  open.mockClear();
  provide({ tour: { open }, report: () => undefined });
});
afterEach(() => {
  cleanup();
  store.set(tourOpenAtom, false);
  store.set(paletteAtom, { open: false });
  store.set(settingsAtom, (settings) => ({ ...settings, singleKeys: true }));
  store.set(sessionAtom, { status: 'signed-out' } as never);
  vi.restoreAllMocks();
});

function showTour(): void {
  render(
    <Provider store={store}>
      <Tour />
    </Provider>,
  );
  act(() => store.set(tourOpenAtom, true));
}

function press(keys: string, layout: LayoutName = 'US'): void {
  for (const event of createEvents(keys, layout)) fireEvent(document.activeElement ?? document.body, event);
}

const currentStep = (): string => document.querySelector('[aria-current="step"]')?.textContent ?? '';
const status = (): string => screen.getByRole('status').textContent;

test('teaches five keys by having the user press them', () => {
  showTour();
  expect(screen.getAllByRole('listitem')).toHaveLength(5);
  for (const keys of ['j', 'x', 'g d', '$mod+k']) {
    const before = currentStep();
    press(keys);
    expect(currentStep()).not.toBe(before);
  }
  expect(store.get(paletteAtom)).toEqual({ open: false });
  press('?');
  expect(currentStep()).toBe('');
  expect(status()).toContain('Press ? at any time');
  fireEvent.click(screen.getByRole('button', { name: 'Start' }));
  expect(store.get(tourOpenAtom)).toBe(false);
});

test('reports a wrong key and keeps asking for the right one', () => {
  showTour();
  press('q');
  expect(status()).toContain('That was q. Press j.');
  press('j');
  expect(status()).toContain('Press x');
});

test('accepts the keys of a layout without Latin letters', () => {
  showTour();
  press('j', 'Cyrillic');
  expect(status()).toContain('Press x');
});

test('teaches only keys that work without single-key shortcuts', () => {
  store.set(settingsAtom, (settings) => ({ ...settings, singleKeys: false }));
  showTour();
  press('ArrowDown');
  press('$mod+k');
  expect(status()).toBe('That is all you need for now. Run “help tour” to practice again.');
});

test('shows no keys but those that the user has bound', () => {
  store.set(overridesAtom, { 'view.next-row': ['n'], 'view.select-row': ['m'] });
  showTour();
  for (const keys of ['n', 'm', 'g d', '$mod+k', '?']) press(keys);
  const shownKeys = [...document.querySelectorAll('kbd')].map(({ textContent }) => textContent);
  expect(new Set(shownKeys)).toEqual(new Set(['n', 'm', 'g d', 'Ctrl K', '?', '⏎']));
});

test('can be skipped and remembers this even if browser storage is blocked', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  showTour();
  fireEvent.click(screen.getByRole('button', { name: 'Skip' }));
  expect(store.get(tourOpenAtom)).toBe(false);
  expect(hasSeenTourInBrowser('demo-viewer')).toBe(true);
  expect(hasSeenTourInBrowser('demo-operator')).toBe(false);
});

function stepKeys(overrides: Overrides, singleKeys = true): readonly string[] {
  const session = store.get(userSessionAtom)!;
  return tourSteps({ directory: directory(), session, overrides, singleKeys }).map(({ binding: { keys } }) => keys);
}

test('teaches the keys that the user has bound', () => {
  expect(stepKeys({})).toEqual(['j', 'x', 'g d', '$mod+k', '?']);
  expect(stepKeys({ 'view.next-row': ['n'], 'view.select-row': [], 'app.help': ['F1'] })).toEqual([
    'n',
    'g d',
    '$mod+k',
    'F1',
  ]);
  // Without single keys, teaches other keys of the same commands.
  expect(stepKeys({}, false)).toEqual(['ArrowDown', '$mod+k']);
});

function FirstTour() {
  useFirstTour();
  return null;
}

function renderFirstTour(change: Partial<UserSession> = {}): void {
  store.set(userSessionAtom, (session) => session && { ...session, ...change });
  render(
    <Provider store={store}>
      <FirstTour />
    </Provider>,
  );
}

test('opens once for a new user', async () => {
  renderFirstTour();
  await vi.waitFor(() => expect(open).toHaveBeenCalledOnce());
  cleanup();
  renderFirstTour({ preferences: { tourSeen: true } });
  expect(open).toHaveBeenCalledOnce();
});

test('does not interrupt a user who opened the palette', () => {
  store.set(paletteAtom, { open: true, start: undefined });
  renderFirstTour();
  expect(open).not.toHaveBeenCalled();
});

test('does not open outside the home organization, or before the user has one', () => {
  const { organization } = store.get(userSessionAtom)!;
  renderFirstTour({ organization: { ...organization, awayFromHome: true } });
  cleanup();
  renderFirstTour({ organization: { ...organization, id: '' } });
  expect(open).not.toHaveBeenCalled();
});
