import { actsOnRows, type CommandMetadata } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { availability } from '#commands/run/availability.ts';
import { message } from '#commands/text/message.ts';
import { translate, withStrings } from '#src/i18n/i18n.ts';
import { bindingsFor } from '#src/keymap/bindings.ts';
import { directory, registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { refreshAfterOwnDenial } from '#src/run/denials.ts';
import { waitUntilLoaded } from '#src/run/invoke.ts';
import type { Runner } from '#src/run/running.ts';
import { discardTyping, onKeysLate, onKeysSlow, runWithRows } from '#src/state/key-queue.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { listenForKeys } from './listen.ts';
import { slowKeysAtom } from './pending.ts';

/**
 * Picks one of several commands with the same keys. Prefers available commands, then commands that act on the target
 * over commands that work everywhere, and then commands of the chart, which covers the rest of the screen.
 */
export function pickCommand<C extends CommandMetadata>(commands: readonly C[], context: Context): C | undefined {
  const rank = ({ on, needs }: C): number => (on ? 2 : needs?.includes('chart') ? 1 : 0);
  const rankedCommands = commands.toSorted((a, b) => rank(b) - rank(a));
  return rankedCommands.find((command) => availability(command, context).ok) ?? rankedCommands[0];
}

/**
 * Attaches the console's only key listener.
 *
 * @returns a function that detaches it
 */
export function startKeys(): () => void {
  onKeysLate(reportLate);
  onKeysSlow((isSlow) => store.set(slowKeysAtom, isSlow));
  return listenForKeys({
    bindings: () => (store.get(userSessionAtom) ? bindingsFor(directory(), contextNow()) : []),
    singleKeys: () => store.get(settingsAtom).singleKeys,
    run: (bindings) => {
      const ids = bindings.map(({ command }) => command.id);
      const runNow = (): void => void waitUntilLoaded(ids, (runner) => run(ids, contextNow(), runner));
      if (bindings.some(({ command }) => actsOnRows(command))) runWithRows(runNow);
      else runNow();
    },
  });
}

function reportLate(): void {
  withStrings(() => toasts.push({ title: translate(message('console:keys.late')) }));
}

function run(ids: readonly string[], context: Context, { recordUse, start }: Runner): void {
  const commands = ids.flatMap((id) => registry().command(id) ?? []);
  const command = pickCommand(commands, context);
  if (!command) return;
  const available = availability(command, context);
  if (available.ok) {
    if (!command.unlisted) recordUse(context, 'command', command.id);
    void start({ id: command.id, args: {} });
  } else if (!command.unlisted || command.effect !== 'navigate') {
    // A move at the end of a list fails silently. For every other key, a toast explains why it doesn't work.
    const { reason } = available;
    refreshAfterOwnDenial(reason);
    // The user may already be typing the arguments that the command would prompt for.
    if (Object.keys(command.params).length > 0) discardTyping();
    withStrings(() => toasts.push({ title: translate(reason.message) }));
  }
}
