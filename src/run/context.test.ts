import { act, render, screen } from '@testing-library/react';
import { Provider } from 'jotai';
import { createElement } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';

import { testContext } from '#commands/testkit/context.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { outageAtom } from '#src/state/connection.ts';
import { panelHostAtom, tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { contextNow, provide } from './context.ts';
import { useCommandContext } from './use-context.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);

beforeEach(() => showGadgets({ active: 'AAAA BBBB' }));

test("contains the visible targets, the user's permissions, and the page's capabilities", () => {
  const line = { show: () => undefined } as never;
  provide({ line });
  provide({ help: {} as never });
  const { actor, organization } = testContext();
  const context = contextNow();
  expect(context).toMatchObject({ organization, focus: { active: 'AAAA BBBB' } });
  expect([context.actor.id, context.host.line, context.host.help]).toEqual([actor.id, line, {}]);
  expect([context.signal.aborted, context.progress({ done: 1, total: 2 })]).toEqual([false, undefined]);
});

test('is unavailable before sign-in', () => {
  store.set(userSessionAtom, undefined);
  expect(() => contextNow()).toThrow(expect.objectContaining({ userMessage: { key: 'core:unavailable.signedOut' } }));
});

test('loads reference data once per organization, even if the first caller cancels', async () => {
  const controller = new AbortController();
  const load = vi.fn<(context: { signal: AbortSignal }) => Promise<string>>(async ({ signal }) =>
    String(signal.aborted),
  );
  const first = contextNow({ signal: controller.signal }).loadCached('test:tags', load);
  controller.abort();
  expect([await first, await contextNow().loadCached('test:tags', load)]).toEqual(['false', 'false']);
  expect(load).toHaveBeenCalledTimes(1);
  store.set(
    userSessionAtom,
    (session) => session && { ...session, organization: { ...session.organization, id: 'south' } },
  );
  await contextNow().loadCached('test:tags', load);
  expect(load).toHaveBeenCalledTimes(2);
});

test('is rebuilt for a component when a table or panel appears', () => {
  function Hosts() {
    const host = useCommandContext()?.host;
    return createElement('p', {}, `table ${host?.table !== undefined}, panel ${host?.panel !== undefined}`);
  }
  render(createElement(Provider, { store }, createElement(Hosts)));
  expect(screen.getByText('table false, panel false')).toBeTruthy();
  const host = {} as never;
  act(() => {
    provide({ table: host });
    store.set(tableHostAtom, host);
  });
  expect(screen.getByText('table true, panel false')).toBeTruthy();
  act(() => {
    provide({ panel: host });
    store.set(panelHostAtom, host);
  });
  expect(screen.getByText('table true, panel true')).toBeTruthy();
});

test('is rebuilt for a component when commands load or an outage starts or ends', async () => {
  const contexts = new Set<unknown>();
  function ContextRecorder() {
    contexts.add(useCommandContext());
    return null;
  }
  render(createElement(Provider, { store }, createElement(ContextRecorder)));
  expect(contexts.size).toBe(1);
  await act(loadAll);
  const { size } = contexts;
  expect(size).toBeGreaterThan(1);
  act(() => store.set(outageAtom, { nextAttempt: undefined }));
  act(() => store.set(outageAtom, undefined));
  expect(contexts.size).toBe(size + 2);
});

test('is rebuilt for a component when the target changes, and is absent after sign-out', () => {
  function Target() {
    const context = useCommandContext();
    return createElement('p', {}, context ? `on ${context.focus?.active ?? 'nothing'}` : 'signed out');
  }
  render(createElement(Provider, { store }, createElement(Target)));
  expect(screen.getByText('on AAAA BBBB')).toBeTruthy();
  act(() => showGadgets());
  expect(screen.getByText('on nothing')).toBeTruthy();
  act(() => store.set(userSessionAtom, undefined));
  expect(screen.getByText('signed out')).toBeTruthy();
});
