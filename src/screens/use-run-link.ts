import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

import { fromSearch } from '#commands/line/link.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { registry } from '#commands/nouns/all.ts';
import { availability } from '#commands/run/availability.ts';
import { message } from '#commands/text/message.ts';
import type { Search } from '#src/address/address.ts';
import { contextNow } from '#src/run/context.ts';
import { showError } from '#src/run/settle.ts';
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
    try {
      const invocation = parseInvocation(run);
      if (hasPanel) store.set(formAtom, invocation);
      else store.set(paletteAtom, { open: true, start: { invocation } });
    } catch (error) {
      showError(error);
    }
    void navigate({ to: '.', search: (previous: Search) => ({ ...previous, run: undefined }), replace: true });
  }, [run, hasPanel, navigate]);
}

/** @throws CommandError with the problem of the line, or the reason it cannot run here. */
function parseInvocation(line: string): Invocation {
  const parsed = fromSearch({ run: line }, registry);
  const { command, invocation } = parsed ?? {};
  if (!command || !invocation) {
    throw new CommandError(parsed?.problems[0]?.message ?? message('core:line.unknownCommand', { command: line }));
  }
  const state = availability(command, contextNow());
  if (!state.ok) throw new CommandError(state.reason.message);
  return invocation;
}
