import { act, renderHook } from '@testing-library/react';
import { Provider } from 'jotai';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { listDestinations } from '#commands/registry/destinations.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';

import { overridesAtom, useKeyHints } from './bindings.ts';

const goToDevices = listDestinations(registry).find(({ screen }) => screen.key === 'g d')!.command;
const setSingleKeys = (singleKeys: boolean): void => store.set(settingsAtom, (old) => ({ ...old, singleKeys }));

afterEach(() => {
  setSingleKeys(true);
  store.set(overridesAtom, {});
});

test('shows only keys that work, as the user has bound them', () => {
  const wrapper = ({ children }: { readonly children: ReactNode }) => createElement(Provider, { store }, children);
  const { result } = renderHook(() => useKeyHints(), { wrapper });
  const texts = (): readonly (string | undefined)[] =>
    ['view.next-row', goToDevices, 'app.palette', 'app.help'].map((id) => result.current(registry.command(id))?.text);
  expect(texts()).toEqual(['j', 'g d', 'Ctrl K', '?']);
  act(() => setSingleKeys(false));
  expect(texts()).toEqual(['↓', undefined, 'Ctrl K', undefined]);
  act(() => store.set(overridesAtom, { 'app.help': ['F1'], 'app.palette': [] }));
  expect(texts()).toEqual(['↓', undefined, undefined, 'F1']);
});
