import { flushSync } from 'react-dom';

import { fromSearch } from '#commands/line/link.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { availability } from '#commands/run/availability.ts';
import { message } from '#commands/text/message.ts';
import { isLayerLoading } from '#src/keymap/layer.ts';
import { loadAll, registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { expectLayer } from '#src/state/key-queue.ts';
import { formAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';

/**
 * Opens the command in a line with its arguments filled in. Opens it as a form if the screen has a panel, or else in
 * the palette.
 *
 * @throws CommandError that explains what is wrong with the line, or why its command cannot run here.
 */
export async function openLink(line: string, hasPanel: boolean): Promise<void> {
  await loadAll();
  const invocation = parseInvocation(line);
  flushSync(() => {
    if (hasPanel) store.set(formAtom, invocation);
    else store.set(paletteAtom, { open: true, start: { invocation } });
  });
  if (isLayerLoading()) expectLayer();
}

function parseInvocation(line: string): Invocation {
  const parsed = fromSearch({ run: line }, registry());
  const { command, invocation } = parsed ?? {};
  if (!command || !invocation) {
    throw new CommandError(parsed?.problems[0]?.message ?? message('running:line.unknownCommand', { command: line }));
  }
  const state = availability(command, contextNow());
  if (!state.ok) throw new CommandError(state.reason.message);
  return invocation;
}
