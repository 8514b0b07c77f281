import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

import { registry } from '#commands/nouns/all.ts';
import { availability } from '#commands/run/availability.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { fromSearch } from '#commands/line/link.ts';
import { message } from '#commands/text/message.ts';

import { contextNow } from '#src/run/context.ts';
import { say } from '#src/run/settle.ts';
import { formAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import type { Search } from '#src/address/address.ts';

/**
 * Opens the command that the address holds, filled in: as a form where the screen has a panel, else in the palette.
 * Nothing runs by a link alone. The line then leaves the address, so that going back does not ask again.
 */
export function useRunLink(hasPanel: boolean): void {
  const { run }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    if (run === undefined) return;
    try {
      const invocation = invocationOf(run);
      if (hasPanel) store.set(formAtom, invocation);
      else store.set(paletteAtom, { open: true, start: { invocation } });
    } catch (error) {
      say(error);
    }
    void navigate({ to: '.', search: (previous: Search) => ({ ...previous, run: undefined }), replace: true });
  }, [run, hasPanel, navigate]);
}

/** @throws CommandError that says what is wrong with the line, or why it cannot run here. */
function invocationOf(line: string): Invocation {
  const parsed = fromSearch({ run: line }, registry);
  const { command, invocation } = parsed ?? {};
  if (!command || !invocation) {
    throw new CommandError(parsed?.problems[0]?.message ?? message('core:line.unknownCommand', { command: line }));
  }
  const may = availability(command, contextNow());
  if (!may.ok) throw new CommandError(may.reason.message);
  return invocation;
}
