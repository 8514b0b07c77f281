import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { failureOf } from '#commands/model/errors.ts';
import { gadget, gadgets } from '#commands/testkit/gadget.ts';
import { loadAll } from '#src/registry/registry.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { runningCommandsAtom } from '#src/state/work.ts';

import { open, showPalette } from './testkit/palette.tsx';
import { mark, runLog } from './testkit/registry.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/registry.ts')).loaders);
beforeAll(loadAll);

showPalette();

/** Returns the gadgets, with the states set by the commands that have run. */
const currentGadgets = () =>
  gadgets.map((item) => {
    const last = runLog.findLast(({ args }) => (args as { ids: readonly string[] }).ids.includes(item.id));
    return last ? { ...item, ...(last.args as { state: 'OK' }) } : item;
  });

beforeEach(() => {
  vi.spyOn(gadget, 'find').mockImplementation(async (_context, text) =>
    currentGadgets().filter(({ name }) => name === text),
  );
});
afterEach(() => vi.restoreAllMocks());

const states = () => runLog.map(({ args }) => (args as { state: string }).state);
const field = () => screen.queryByRole<HTMLTextAreaElement>('textbox', { name: 'Lines to run' });

/** Makes lines run until the returned function is called. */
function blockRun() {
  let finish = (): void => undefined;
  const result = new Promise<object>((resolve) => (finish = () => resolve({})));
  return { running: vi.spyOn(mark, 'run').mockReturnValue(result), finish: () => finish() };
}

async function paste(...lines: readonly string[]) {
  const user = userEvent.setup();
  open();
  await user.paste(lines.join('\n'));
  return user;
}

describe('several pasted lines', () => {
  test('run in order on Enter', async () => {
    const user = await paste("gadget mark 'North pump' ERROR", "gadget mark 'South pump' OK");
    await waitFor(() => expect(screen.getAllByText(/^Mark 1 gadgets/)).toHaveLength(2));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(field()).toBeNull());
    expect(states()).toEqual(['ERROR', 'OK']);
  });

  test('offer to run only when there is a line to run', async () => {
    await paste("gadget mark 'No pump' ERROR", "gadget mark 'South pump' OK");
    await screen.findByText('Mark 1 gadgets OK');
    expect(screen.queryByText(/^run /)).toBeNull();
  });

  test('stop before a line if an earlier line changed its plan', async () => {
    const user = await paste("gadget mark 'North pump' ERROR", "gadget mark 'North pump' OK");
    expect(await screen.findByText('Mark 0 gadgets OK')).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(field()?.value).toBe("gadget mark 'North pump' OK"));
    expect(states()).toEqual(['ERROR']);
    expect(await screen.findByText('Mark 1 gadgets OK')).toBeTruthy();
    expect(screen.getByText(/^The lines that ran changed the plan/)).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(field()).toBeNull());
    expect(states()).toEqual(['ERROR', 'OK']);
  });

  test('stop after a line that failed for an item, because later lines may depend on it', async () => {
    const failure = failureOf(new Error('locked'));
    vi.spyOn(mark, 'run').mockResolvedValueOnce({ results: [{ id: 'AAAA BBBB', label: 'North pump', failure }] });
    const user = await paste("gadget mark 'North pump' ERROR", "gadget mark 'South pump' OK");
    await waitFor(() => expect(screen.getAllByText(/^Mark 1 gadgets/)).toHaveLength(2));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(field()?.value).toBe("gadget mark 'South pump' OK"));
    expect(states()).toEqual([]);
  });

  test('show their progress while running, and stop after the current line on Escape', async () => {
    const { running, finish } = blockRun();
    const user = await paste("gadget mark 'North pump' ERROR", "gadget mark 'South pump' OK");
    await waitFor(() => expect(screen.getAllByText(/^Mark 1 gadgets/)).toHaveLength(2));
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Running line 1 of 2')).toBeTruthy();
    expect(screen.queryByText(/^run /)).toBeNull();
    await user.keyboard('x{Escape}');
    expect(screen.getByText('Stopping after line 1 of 2')).toBeTruthy();
    finish();
    await waitFor(() => expect(field()?.value).toBe("gadget mark 'South pump' OK"));
    expect(running).toHaveBeenCalledTimes(1);
    await user.keyboard('{Escape}');
    expect(field()).toBeNull();
  });

  test('stop when the palette closes', async () => {
    const { running, finish } = blockRun();
    const user = await paste("gadget mark 'North pump' ERROR", "gadget mark 'South pump' OK");
    await waitFor(() => expect(screen.getAllByText(/^Mark 1 gadgets/)).toHaveLength(2));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(running).toHaveBeenCalledTimes(1));
    act(() => store.set(paletteAtom, { open: false }));
    finish();
    await waitFor(() => expect(store.get(runningCommandsAtom)).toEqual([]));
    // Give the next line time to be planned and run.
    await new Promise((resolve) => setTimeout(resolve));
    expect(running).toHaveBeenCalledTimes(1);
  });
});
