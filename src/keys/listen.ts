import {
  afterArrival,
  awaitsLayer,
  giveUpKeys,
  giveUpLayer,
  isOnTheWay,
  isQueued,
  withLayer,
} from '#src/state/arrival.ts';
import { store } from '#src/state/store.ts';
import { formatKeys } from '#src/keymap/format.ts';
import { isLayerAway, leaveLayer, watchLayers } from '#src/keymap/layer.ts';
import { pendingKeysAtom } from './pending.ts';
import { isComposing, typesCharacter, type Press } from '#src/keymap/press.ts';
import { canBeReplayed, hasModifier, isReplayed, replay } from './replay.ts';
import { createResolver, type Binding, type Step } from '#src/keymap/resolver.ts';
import { isPressable, isTyping } from './target.ts';

/** A hesitation after which the continuations of a sequence are shown. */
const SHOW_MS = 400;
/** A sequence that is also a command on its own waits this long for its next key. */
const OTHERWISE_MS = 800;
/** A sequence is forgotten after this long: time to read its continuations. */
const FORGET_MS = 5000;

interface Keys {
  /** Everything bound here and now. */
  readonly bindings: () => readonly Binding[];
  /** False when a person turned shortcuts of one character off. */
  readonly singleKeys: () => boolean;
  /** Runs one of the bindings that a sequence ended in. */
  readonly run: (bindings: readonly Binding[]) => void;
}

/**
 * Listens on the window, after everything on the page: what handled a key and prevented its default, or stopped it, has
 * had it. While a modal dialog (the palette, help, a question) is open, the keys of the screen are off.
 */
export function listenForKeys({ bindings, singleKeys, run }: Keys): () => void {
  const resolver = createResolver();
  const timers = new Set<ReturnType<typeof setTimeout>>();

  const later = (ms: number, then: () => void): void => {
    timers.add(setTimeout(then, ms));
  };
  const settle = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    if (store.get(pendingKeysAtom)) store.set(pendingKeysAtom, undefined);
  };
  const cancel = (): void => {
    resolver.reset();
    settle();
  };

  const wait = ({ typed, continuations, otherwise }: Step & { kind: 'pending' }): void => {
    const shown = formatKeys(typed);
    const length = typed.split(' ').length;
    store.set(pendingKeysAtom, { typed: shown, continuations: [] });
    later(SHOW_MS, () =>
      store.set(pendingKeysAtom, {
        typed: shown,
        continuations: continuations.map(({ keys, command }) => ({
          rest: formatKeys(keys.split(' ').slice(length).join(' ')),
          command,
        })),
      }),
    );
    later(otherwise.length > 0 ? OTHERWISE_MS : FORGET_MS, () => {
      const step = resolver.timeout();
      settle();
      if (step.kind === 'run') run(step.bindings);
    });
  };

  /** What waits for a layer is given up with it. @returns whether the palette or the cheat sheet was left that way */
  const left = (): boolean => {
    giveUpKeys();
    return leaveLayer();
  };

  /** Before the field that has the focus: what was pressed earlier may still be on its way there. */
  const onCapture = (event: KeyboardEvent): void => {
    if (opensQuickFind(event) && isInLayer(event.target) && singleKeys()) event.preventDefault();
    if (isReplayed(event) || !isQueued() || isComposing(event)) return;
    const leaves = event.key === 'Escape' && awaitsLayer();
    // A form is left as it is when its fields are there.
    if (leaves ? !left() : !canBeReplayed(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (leaves) return;
    afterArrival(() => replay(event));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isComposing(event)) return;
    if (isReplayed(event) || !isOnTheWay() || !canWait(event)) return handle(event);
    // Meant for what will be there: the row that is active now is not the one that will be.
    event.preventDefault();
    afterArrival(() => replay(event));
  };

  const handle = (event: KeyboardEvent): void => {
    if (document.querySelector('dialog[open]')) {
      if (opensQuickFind(event) && singleKeys()) event.preventDefault();
      return cancel();
    }
    if (isLayerAway() && !isTyping(event.target)) {
      cancel();
      if (event.key !== 'Escape') {
        event.preventDefault();
        if (canBeReplayed(event)) withLayer(() => replay(event));
        return;
      }
      if (left()) return event.preventDefault();
    }
    if (event.key === 'Escape' && resolver.isPending()) {
      event.preventDefault();
      return cancel();
    }
    // Holding the first key of a sequence neither continues nor breaks it.
    if (event.repeat && resolver.isPending()) return event.preventDefault();
    const live = bindings().filter(({ command, presses }) => mayFire(event, presses, command.repeats, singleKeys()));
    for (const step of resolver.press(event, live)) {
      if (step.kind === 'none') {
        // A chord that means nothing here ends a sequence as well, and stays the browser's.
        if (!resolver.isPending()) settle();
        continue;
      }
      event.preventDefault();
      settle();
      if (step.kind === 'pending') wait(step);
      else if (step.kind === 'run') run(step.bindings);
    }
    if (opensQuickFind(event) && singleKeys()) event.preventDefault();
  };

  const stopWatching = watchLayers(() => {
    if (!isLayerAway()) giveUpLayer();
  });
  window.addEventListener('keydown', onCapture, true);
  window.addEventListener('keydown', onKeyDown);
  window.addEventListener('blur', cancel);
  return () => {
    cancel();
    stopWatching();
    window.removeEventListener('keydown', onCapture, true);
    window.removeEventListener('keydown', onKeyDown);
    window.removeEventListener('blur', cancel);
  };
}

/** Whether a binding may be meant by this event at all, whatever its keys. */
function mayFire(
  event: KeyboardEvent,
  presses: readonly Press[],
  repeats: boolean | undefined,
  singleKeys: boolean,
): boolean {
  const [first] = presses;
  if (!first) return false;
  if (event.repeat && !(repeats && presses.length === 1)) return false;
  if (!singleKeys && typesCharacter(first)) return false;
  if (isTyping(event.target)) return isChord(first) || first[1] === 'Escape';
  return !(isPressable(event.target) && (event.key === 'Enter' || event.key === ' '));
}

/** Firefox searches the page by these where nobody takes them, and what is typed next would go to its field. */
function opensQuickFind(event: KeyboardEvent): boolean {
  return (event.key === '/' || event.key === "'") && !hasModifier(event) && !isTyping(event.target);
}

/** Dialogs and popovers keep their keys from the screen, so that the listener below never hears of them. */
function isInLayer(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog, [role="dialog"]') !== null;
}

/** What is pressed outside of fields and dialogs is for the screen, and waits for it. */
function canWait(event: KeyboardEvent): boolean {
  const isLayer = document.querySelector('dialog[open]') !== null || isTyping(event.target);
  return !isLayer && !hasModifier(event) && canBeReplayed(event);
}

/** A press that no field takes for text or editing. */
function isChord([mods, key]: Press): boolean {
  return mods.some((mod) => mod === 'Control' || mod === 'Meta') || (typeof key === 'string' && /^F\d+$/.test(key));
}
