import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { flushSync } from 'react-dom';

import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { availability } from '#commands/run/availability.ts';
import { message } from '#commands/text/message.ts';
import type { Search } from '#src/address/address.ts';
import { isLayerLoading } from '#src/keymap/layer.ts';
import { loadAll, NotLoaded, registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { showError } from '#src/run/show-error.ts';
import { expectLayer, holdKeys } from '#src/state/key-queue.ts';
import { formAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

/**
 * Opens the command in the URL, prefilled: as a form if the screen has a panel, else in the palette. A link alone runs
 * nothing. Then removes the line from the URL: going back must not open it again.
 */
export function useRunLink(hasPanel: boolean): void {
  const { run }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    if (run === undefined) return;
    void openLink(run, hasPanel);
    void navigate({ to: '.', search: (previous: Search) => ({ ...previous, run: undefined }), replace: true });
  }, [run, hasPanel, navigate]);
}

/** Opens the command of a line once its noun has loaded. Meanwhile, holds keystrokes for it. */
async function openLink(line: string, inPanel: boolean): Promise<void> {
  const keys = holdKeys();
  try {
    const invocation = await parseInvocation(line);
    flushSync(() => {
      if (inPanel) store.set(formAtom, invocation);
      else store.set(paletteAtom, { open: true, start: { invocation } });
    });
    if (isLayerLoading()) expectLayer();
    keys.release();
  } catch (error) {
    keys.drop();
    showError(error, error instanceof NotLoaded ? () => void openLink(line, inPanel) : undefined);
  }
}

/** @throws CommandError with the problem of the line, or the reason it cannot run here. */
async function parseInvocation(line: string): Promise<Invocation> {
  const [{ fromSearch }] = await Promise.all([import('#commands/line/link.ts'), loadAll()]);
  const parsed = fromSearch({ run: line }, registry());
  const { command, invocation } = parsed ?? {};
  if (!command || !invocation) {
    throw new CommandError(parsed?.problems[0]?.message ?? message('core:line.unknownCommand', { command: line }));
  }
  const state = availability(command, contextNow());
  if (!state.ok) throw new CommandError(state.reason.message);
  return invocation;
}
