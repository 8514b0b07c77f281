import { useAtomValue, useSetAtom } from 'jotai';
import { useEffect, useEffectEvent, type KeyboardEvent } from 'react';

import type { BenchHost } from '#commands/model/screen-hosts.ts';
import { isKeyOf, overridesAtom } from '#src/keymap/bindings.ts';
import { isText } from '#src/keymap/target.ts';
import { directory } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { benchHostAtom } from '#src/state/focus.ts';

/** True if the keystroke is a key of the command, as the user has bound it. */
export function isKeyFor(id: string, event: KeyboardEvent): boolean {
  const command = directory().command(id);
  return command !== undefined && isKeyOf(command, event.nativeEvent);
}

/** What a keystroke does, by the command whose keys it is. */
type KeyActions = Readonly<Record<string, () => void>>;

interface BenchKeysOptions {
  readonly host: BenchHost;
  /** False while another tab covers the bench. */
  readonly isShown: boolean;
  /** Moves to the next or previous message. */
  readonly onStep: (direction: 1 | -1) => void;
}

/**
 * Provides the bench to commands and returns the handler of its keys. The handler runs before the text editor, which
 * has its own meaning for some of them.
 */
export function useBenchKeys({ host, isShown, onStep }: BenchKeysOptions): (event: KeyboardEvent) => void {
  const setHost = useSetAtom(benchHostAtom);
  // Renders again when a binding changes.
  useAtomValue(overridesAtom);
  const call = useEffectEvent((act: (bench: BenchHost) => void): void => act(host));
  useEffect(() => {
    if (!isShown) return undefined;
    const stable: BenchHost = {
      save: () => call((bench) => bench.save()),
      plan: () => call((bench) => bench.plan()),
      focusPane: (direction) => call((bench) => bench.focusPane(direction)),
      goToProblem: () => call((bench) => bench.goToProblem()),
      goToDifference: (direction) => call((bench) => bench.goToDifference(direction)),
      showNextVerdict: () => call((bench) => bench.showNextVerdict()),
      loadMessage: () => call((bench) => bench.loadMessage()),
      moveField: (direction) => call((bench) => bench.moveField(direction)),
      duplicateField: () => call((bench) => bench.duplicateField()),
      removeField: () => call((bench) => bench.removeField()),
    };
    // The context that the atom builds must already have the host.
    provide({ bench: stable });
    setHost(stable);
    return () => {
      provide({ bench: undefined });
      setHost(undefined);
    };
  }, [isShown, setHost]);

  const actions: KeyActions = {
    'parser-bench.save': host.save,
    'parser-bench.plan': host.plan,
    'parser-bench.next-pane': () => host.focusPane(1),
    'parser-bench.previous-pane': () => host.focusPane(-1),
    'parser-bench.next-error': host.goToProblem,
    'parser-bench.next-difference': () => host.goToDifference(1),
    'parser-bench.previous-difference': () => host.goToDifference(-1),
    'parser-bench.next-verdict': host.showNextVerdict,
    'parser-bench.load-message': host.loadMessage,
    'view.next-item': () => onStep(1),
    'view.previous-item': () => onStep(-1),
  };
  return (event) => {
    const id = isText(event.nativeEvent) ? undefined : Object.keys(actions).find((command) => isKeyFor(command, event));
    if (id === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    actions[id]?.();
  };
}
