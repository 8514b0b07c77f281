import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import type { Context, Focus } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Target } from '#commands/model/target.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, type Gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { loadAllStrings, i18n } from '#src/i18n/i18n.ts';
import * as reports from '#src/net/report.ts';

import { TargetText } from './TargetText.tsx';

const anyGadget = gadget as unknown as AnyEntity;

beforeAll(async () => {
  i18n.addResourceBundle('en', 'gadget', {
    count_one: '{{count}} gadget',
    count_other: '{{count}} gadgets',
    inError: '2 in error',
  });
  await loadAllStrings();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const show = (target: Target, context: Context = testContext(), entity = anyGadget) =>
  render(<TargetText entity={entity} target={target} line="…" context={context} />).container;

test.each<[string, Target, string]>([
  ['a single item by name', { ids: ['AAAA BBBB'] }, 'North pump'],
  ['a single item that no longer exists by its id', { ids: ['1234 5678'] }, '1234 5678'],
  ['several items by their count', { ids: ['AAAA BBBB', 'CCCC DDDD'] }, '2 gadgets'],
  ['a single name', { named: 'Well 7' }, 'Well 7'],
  ['several names by their count', { named: 'Well 7,South pump' }, '2 gadgets'],
  ['a filter by its count', { query: 'state:OK' }, '1 gadget'],
])('describes %s', async (_case, target, text) => {
  const container = show(target);
  expect(container.textContent).toBe('…');
  await vi.waitFor(() => expect(container.textContent).toBe(text));
});

test('names an item by its short name and its label, or by its id if it has no label', async () => {
  const withShort = (parts: object) => ({ ...gadget, ...parts }) as unknown as AnyEntity;
  const textOf = async (entity: AnyEntity) => {
    const container = show({ ids: ['AAAA BBBB'] }, testContext(), entity);
    await vi.waitFor(() => expect(container.textContent).not.toBe('…'));
    return container.textContent;
  };
  expect(await textOf(withShort({ shortLabel: () => 'AAAA' }))).toBe('AAAA North pump');
  expect(await textOf(withShort({ shortLabel: ({ name }: Gadget) => name }))).toBe('North pump');
  expect(await textOf(withShort({ label: () => '' }))).toBe('AAAA BBBB');
});

test.each<[string, Target, Partial<Focus>, string]>([
  ['by its name', { selection: true }, { count: 2, name: message('gadget:inError') }, '2 in error'],
  [
    'as a filter by the same name',
    { query: 'state:ERROR' },
    { count: 2, name: message('gadget:inError') },
    '2 in error',
  ],
  ['by its known count without a name', { selection: true }, { count: 5 }, '5 gadgets'],
  [
    'by its known count if it is a list of ids',
    { ids: ['1', '2'] },
    { target: { ids: ['1', '2'] }, count: 5, name: message('gadget:inError') },
    '5 gadgets',
  ],
  ['by counting its items if the count is not known', { selection: true }, {}, '2 gadgets'],
  ['only if the target matches it', { query: 'state:OK' }, { count: 2, name: message('gadget:inError') }, '1 gadget'],
])('describes the selection %s', async (_case, target, focus, text) => {
  const context = testContext({ focus: { entity: 'gadget', target: { query: 'state:ERROR' }, ...focus } });
  const container = show(target, context);
  await vi.waitFor(() => expect(container.textContent).toBe(text));
});

test('keeps the text of the line if the lookup fails, and reports the failure', async () => {
  const report = vi.spyOn(reports, 'report');
  const failure = new Error('no connection');
  vi.spyOn(gadget, 'byIds').mockRejectedValue(failure);
  const container = show({ ids: ['AAAA BBBB'] });
  await vi.waitFor(() => expect(report).toHaveBeenCalledWith(failure));
  expect(container.textContent).toBe('…');
});

test("aborts a lookup that is no longer needed, and doesn't report or use it", async () => {
  const report = vi.spyOn(reports, 'report');
  let signal: AbortSignal | undefined;
  let finish = (): void => undefined;
  vi.spyOn(gadget, 'byIds').mockImplementation(async (context) => {
    signal = context.signal;
    if (signal.aborted) throw signal.reason;
    await new Promise<void>((resolve, reject) => {
      finish = resolve;
      signal?.addEventListener('abort', () => reject(signal?.reason as Error));
    });
    return gadgets.slice(0, 1);
  });
  const context = testContext();
  const { container, rerender } = render(
    <TargetText entity={anyGadget} target={{ ids: ['AAAA BBBB'] }} line="…" context={context} />,
  );
  await vi.waitFor(() => expect(signal).toBeDefined());
  rerender(<TargetText entity={anyGadget} target={{ query: 'state:ERROR' }} line="…" context={context} />);
  expect(signal?.aborted).toBe(true);
  await vi.waitFor(() => expect(container.textContent).toBe('2 gadgets'));
  finish();
  await Promise.resolve();
  expect([container.textContent, report.mock.calls]).toEqual(['2 gadgets', []]);
});

test('ignores the result of a lookup that is no longer needed', async () => {
  let finish: (items: readonly Gadget[]) => void = () => undefined;
  vi.spyOn(gadget, 'byIds').mockReturnValueOnce(new Promise((resolve) => (finish = resolve)));
  const context = testContext();
  const element = (target: Target) => <TargetText entity={anyGadget} target={target} line="…" context={context} />;
  const { container, rerender } = render(element({ ids: ['AAAA BBBB'] }));
  rerender(element({ query: 'state:ERROR' }));
  await vi.waitFor(() => expect(container.textContent).toBe('2 gadgets'));
  finish(gadgets.slice(0, 1));
  await act(async () => undefined);
  expect(container.textContent).toBe('2 gadgets');
});

test('updates when the context changes', async () => {
  const element = (context: Context) => (
    <TargetText entity={anyGadget} target={{ selection: true }} line="…" context={context} />
  );
  const focus = { entity: 'gadget', target: { query: 'state:ERROR' } };
  const { container, rerender } = render(element(testContext({ focus: { ...focus, count: 2 } })));
  await vi.waitFor(() => expect(container.textContent).toBe('2 gadgets'));
  rerender(element(testContext({ focus: { ...focus, count: 5 } })));
  await vi.waitFor(() => expect(container.textContent).toBe('5 gadgets'));
});
