import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Source } from '#commands/nouns/data/parser/bench/source.ts';
import { traceSource } from '#commands/nouns/data/parser/bench/trace.ts';

import { useTrace } from './use-trace.ts';

vi.mock('#src/run/context.ts', () => ({ contextNow: () => ({}) }));
vi.mock('#commands/nouns/data/parser/bench/trace.ts', () => ({ traceSource: vi.fn<typeof traceSource>() }));

const source = {} as Source;
const NO_FIELDS = [] as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Parses no bytes, and then a message whose result hasn't arrived yet. */
async function parseMessage(first: Awaited<ReturnType<typeof traceSource>>) {
  vi.mocked(traceSource)
    .mockResolvedValueOnce(first)
    .mockReturnValue(new Promise(() => undefined));
  const hook = renderHook((hex: string) => useTrace(source, hex, NO_FIELDS), { initialProps: '' });
  await act(() => vi.advanceTimersByTimeAsync(300));
  expect(hook.result.current.failedTrace).toEqual(first);
  hook.rerender('13 0D');
  await act(() => vi.advanceTimersByTimeAsync(300));
  return hook.result.current;
}

test('drops the failure to read other bytes', async () => {
  const { failedTrace, isStale } = await parseMessage({ error: 'frame at byte 0: 1 byte needed, 0 left', offset: 0 });
  expect([failedTrace, isStale]).toEqual([undefined, true]);
});

test('keeps a mistake in the definition, which is the same for all bytes', async () => {
  const mistake = { error: 'Line 3: unknown type', line: 3 };
  expect((await parseMessage(mistake)).failedTrace).toEqual(mistake);
});
