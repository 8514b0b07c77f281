import type { CommandMetadata } from '#commands/model/command.ts';

import { isModifier, matchesPosition, matchesPress, type Press, type KeyEvent } from './press.ts';

/** An active key sequence of a command. */
export interface Binding {
  readonly command: CommandMetadata;
  /** The keys as declared, such as `c w`. */
  readonly keys: string;
  readonly presses: readonly Press[];
}

/** The result of a keystroke. `run` has every binding that the keystroke completes. The caller picks one. */
export type Step =
  | { readonly kind: 'run'; readonly bindings: readonly Binding[] }
  /** More keys may follow. `fallback` runs if none follows. */
  | {
      readonly kind: 'pending';
      readonly typed: string;
      readonly continuations: readonly Binding[];
      readonly fallback: readonly Binding[];
    }
  /** The key doesn't continue the pending sequence, and both are dropped. */
  | { readonly kind: 'dropped' }
  | { readonly kind: 'none' };

export interface Resolver {
  press(event: KeyEvent, bindings: readonly Binding[]): readonly Step[];
  /** Ends a sequence that wasn't continued, and returns its result. */
  timeout(): Step;
  reset(): void;
  isPending(): boolean;
}

/**
 * Resolves keystrokes to bindings by the longest sequence. `t s` never triggers `s`, and `t` waits if there is also
 * `t s`.
 */
export function createResolver(): Resolver {
  let typed: readonly KeyEvent[] = [];
  let fallback: readonly Binding[] = [];

  const reset = (): void => {
    typed = [];
    fallback = [];
  };

  const press = (event: KeyEvent, bindings: readonly Binding[]): readonly Step[] => {
    if (isModifier(event)) return [{ kind: 'none' }];
    const presses = [...typed, event];
    const matching = matchingBindings(presses, bindings);
    const exactMatch = matching.filter((binding) => binding.presses.length === presses.length);
    const continuations = matching.filter((binding) => binding.presses.length > presses.length);
    if (continuations.length > 0) {
      typed = presses;
      fallback = exactMatch;
      return [{ kind: 'pending', typed: typedKeys(continuations[0], presses.length), continuations, fallback }];
    }
    const pendingFallback = fallback;
    const hadPending = typed.length > 0;
    reset();
    if (exactMatch.length > 0) return [{ kind: 'run', bindings: exactMatch }];
    if (pendingFallback.length > 0) return [{ kind: 'run', bindings: pendingFallback }, ...press(event, bindings)];
    if (hadPending && isChord(event)) return press(event, bindings);
    return [{ kind: hadPending ? 'dropped' : 'none' }];
  };

  return {
    press,
    reset,
    isPending: () => typed.length > 0,
    timeout: () => {
      const bindings = fallback;
      reset();
      return bindings.length > 0 ? { kind: 'run', bindings } : { kind: 'dropped' };
    },
  };
}

/**
 * True for Ctrl or Meta combinations. No sequence contains one, so a chord ends the sequence and still has its own
 * effect. AltGr doesn't count, because it types a symbol.
 */
function isChord(event: KeyEvent): boolean {
  if (event.getModifierState('AltGraph')) return false;
  return event.getModifierState('Control') || event.getModifierState('Meta');
}

/** Matches keystrokes by character, or else by the position of the key. */
function matchingBindings(presses: readonly KeyEvent[], bindings: readonly Binding[]): readonly Binding[] {
  const filterBy = (matches: (event: KeyEvent, press: Press) => boolean): readonly Binding[] =>
    bindings.filter((binding) =>
      presses.every((event, index) => {
        const press = binding.presses[index];
        return press !== undefined && matches(event, press);
      }),
    );
  const byCharacter = filterBy(matchesPress);
  return byCharacter.length > 0
    ? byCharacter
    : filterBy((event, press) => matchesPress(event, press) || matchesPosition(event, press));
}

function typedKeys(binding: Binding | undefined, count: number): string {
  return binding?.keys.split(' ').slice(0, count).join(' ') ?? '';
}
