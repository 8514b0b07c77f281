import { availability } from '#commands/run/availability.ts';
import { actsOnRows, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';

import { contextNow } from '#src/run/context.ts';
import { invoke } from '#src/run/runner.ts';
import { translate, withTexts } from '#src/i18n/i18n.ts';
import { learn } from '#src/search/habits.ts';
import { actingAtom } from '#src/state/acting.ts';
import { withRows } from '#src/state/arrival.ts';
import { settingsAtom } from '#src/state/settings.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { listenForKeys } from './listen.ts';
import type { Binding } from '#src/keymap/resolver.ts';
import { bindingsFor } from '#src/keymap/bindings.ts';

/**
 * Of several commands on the same keys: the one that can run; of those, the one of the target before the one that
 * works everywhere.
 */
export function chosen(bindings: readonly Binding[], context: Context): Command | undefined {
  const ranked = bindings.toSorted((a, b) => Number(Boolean(b.command.on)) - Number(Boolean(a.command.on)));
  return (ranked.find(({ command }) => availability(command, context).ok) ?? ranked[0])?.command;
}

/** Attaches the one key listener of the console. @returns a function that detaches it. */
export function startKeys(): () => void {
  return listenForKeys({
    bindings: () => (store.get(actingAtom) ? bindingsFor(registry, contextNow()) : []),
    singleKeys: () => store.get(settingsAtom).singleKeys,
    run: (bindings) => {
      const act = (): void => run(bindings, contextNow());
      if (bindings.some(({ command }) => actsOnRows(command))) withRows(act);
      else act();
    },
  });
}

function run(bindings: readonly Binding[], context: Context): void {
  const command = chosen(bindings, context);
  if (!command) return;
  const available = availability(command, context);
  if (available.ok) {
    if (!command.quiet) learn(context, 'command', command.id);
    void invoke({ id: command.id, args: {} });
  } else if (!command.quiet || command.effect !== 'navigate') {
    // A move that has nowhere to go says nothing; every other key says why it does not work.
    const { reason } = available;
    withTexts(() => toasts.push({ title: translate(reason.message) }));
  }
}
