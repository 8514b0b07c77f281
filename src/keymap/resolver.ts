import type { Command } from '#commands/model/command.ts';

import { isModifier, matchesPosition, matchesPress, type Press, type Pressed } from './press.ts';

/** A command's key sequence that is live here and now. */
export interface Binding {
  readonly command: Command;
  /** As declared: `c w`. */
  readonly keys: string;
  readonly presses: readonly Press[];
}

/** What a press came to. `run` lists every binding that ends here; the caller picks the one that applies. */
export type Step =
  | { readonly kind: 'run'; readonly bindings: readonly Binding[] }
  /** More keys may follow. `otherwise` runs when none does. */
  | {
      readonly kind: 'pending';
      readonly typed: string;
      readonly continuations: readonly Binding[];
      readonly otherwise: readonly Binding[];
    }
  /** A sequence was begun and this key does not continue it: it is dropped, and the key with it. */
  | { readonly kind: 'dropped' }
  | { readonly kind: 'none' };

export interface Resolver {
  press(event: Pressed, bindings: readonly Binding[]): readonly Step[];
  /** What a sequence that is not continued comes to, after which it is over. */
  timeout(): Step;
  reset(): void;
  isPending(): boolean;
}

/**
 * Resolves presses to bindings over the longest sequence: `t s` never fires `s`, and `t` beside `t s` waits for what
 * follows.
 */
export function createResolver(): Resolver {
  let typed: readonly Pressed[] = [];
  let otherwise: readonly Binding[] = [];

  const reset = (): void => {
    typed = [];
    otherwise = [];
  };

  const press = (event: Pressed, bindings: readonly Binding[]): readonly Step[] => {
    if (isModifier(event)) return [{ kind: 'none' }];
    const presses = [...typed, event];
    const live = matching(presses, bindings);
    const exact = live.filter((binding) => binding.presses.length === presses.length);
    const continuations = live.filter((binding) => binding.presses.length > presses.length);
    if (continuations.length > 0) {
      typed = presses;
      otherwise = exact;
      return [{ kind: 'pending', typed: begin(continuations[0], presses.length), continuations, otherwise }];
    }
    const before = otherwise;
    const begun = typed.length > 0;
    reset();
    if (exact.length > 0) return [{ kind: 'run', bindings: exact }];
    if (before.length > 0) return [{ kind: 'run', bindings: before }, ...press(event, bindings)];
    if (begun && isChord(event)) return press(event, bindings);
    return [{ kind: begun ? 'dropped' : 'none' }];
  };

  return {
    press,
    reset,
    isPending: () => typed.length > 0,
    timeout: () => {
      const bindings = otherwise;
      reset();
      return bindings.length > 0 ? { kind: 'run', bindings } : { kind: 'dropped' };
    },
  };
}

/**
 * Held with Ctrl or Meta: no sequence has one, so a chord ends the sequence and still does what it does. AltGr types
 * a symbol.
 */
function isChord(event: Pressed): boolean {
  if (event.getModifierState('AltGraph')) return false;
  return event.getModifierState('Control') || event.getModifierState('Meta');
}

/** By what the keys say; only where nothing is meant by that, by where they are. */
function matching(presses: readonly Pressed[], bindings: readonly Binding[]): readonly Binding[] {
  const by = (matches: (event: Pressed, press: Press) => boolean): readonly Binding[] =>
    bindings.filter((binding) =>
      presses.every((event, index) => {
        const press = binding.presses[index];
        return press !== undefined && matches(event, press);
      }),
    );
  const message = by(matchesPress);
  return message.length > 0
    ? message
    : by((event, press) => matchesPress(event, press) || matchesPosition(event, press));
}

function begin(binding: Binding | undefined, presses: number): string {
  return binding?.keys.split(' ').slice(0, presses).join(' ') ?? '';
}
