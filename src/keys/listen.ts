import { formatKeys } from '#src/keymap/format.ts';
import { historyButton, historyStep } from '#src/keymap/history-step.ts';
import { isLayerLoading, closeLoadingLayer, loadingForm, watchLayers } from '#src/keymap/layer.ts';
import { isComposing, typesCharacter, type Press } from '#src/keymap/press.ts';
import { createResolver, type Binding, type Step } from '#src/keymap/resolver.ts';
import { isPressable, isTyping } from '#src/keymap/target.ts';
import {
  canBeReplayed,
  createReplay,
  hasModifier,
  isReplayed,
  replay,
  replayOn,
  replayPaste,
} from '#src/run/replay.ts';
import { forgetFailedLayer, keepTyping } from '#src/state/kept-typing.ts';
import {
  runOrEnqueue,
  isLayerPending,
  dropHeldKeys,
  cancelLayer,
  cancelScreenWait,
  expectOtherEnter,
  isDiscarded,
  isDestinationPending,
  isQueued,
  isScreenSlow,
  runWithLayer,
  stopDiscarding,
  waitForView,
} from '#src/state/key-queue.ts';
import { store } from '#src/state/store.ts';

import { pendingKeysAtom } from './pending.ts';

/** The delay before the continuations of a sequence appear. */
const SHOW_MS = 400;
/** How long a sequence that is also a complete command waits for the next key. */
const FALLBACK_MS = 800;
/** How long keys wait for the browser to go back or forward, which may also lead nowhere. */
const HISTORY_MS = 1000;
/** The timeout of a sequence. It is long enough to read the continuations. */
const TIMEOUT_MS = 5000;

interface KeyListenerOptions {
  /** All current bindings. */
  readonly bindings: () => readonly Binding[];
  /** False if the user turned single-character shortcuts off. */
  readonly singleKeys: () => boolean;
  /** Runs one of the bindings at the end of a sequence. */
  readonly run: (bindings: readonly Binding[]) => void;
}

/**
 * Listens on the window, after everything on the page. Keys that were handled there (default prevented, or propagation
 * stopped) are ignored. The keys of the screen are off while a modal dialog (the palette, help, a confirmation) is
 * open.
 */
export function listenForKeys({ bindings, singleKeys, run }: KeyListenerOptions): () => void {
  const resolver = createResolver();
  const timers = new Set<ReturnType<typeof setTimeout>>();

  const schedule = (ms: number, callback: () => void): void => {
    timers.add(setTimeout(callback, ms));
  };
  const endSequence = (): void => {
    for (const timer of timers) clearTimeout(timer);
    timers.clear();
    if (store.get(pendingKeysAtom)) store.set(pendingKeysAtom, undefined);
  };
  const cancel = (): void => {
    resolver.reset();
    endSequence();
  };

  const wait = ({ typed, continuations, fallback }: Step & { kind: 'pending' }): void => {
    const label = formatKeys(typed);
    const length = typed.split(' ').length;
    store.set(pendingKeysAtom, { typed: label, continuations: [] });
    schedule(SHOW_MS, () =>
      store.set(pendingKeysAtom, {
        typed: label,
        continuations: continuations.map(({ keys, command }) => ({
          remaining: formatKeys(keys.split(' ').slice(length).join(' ')),
          command,
        })),
      }),
    );
    schedule(fallback.length > 0 ? FALLBACK_MS : TIMEOUT_MS, () => {
      const step = resolver.timeout();
      endSequence();
      if (step.kind === 'run') run(step.bindings);
    });
  };

  /**
   * Drops the queued keys, and closes what they wait for.
   *
   * @returns true if this closed a layer, or canceled a command before it had any effect
   */
  const discardAndClose = (event: KeyboardEvent): boolean => {
    const wasHeld = dropHeldKeys();
    if (closeLoadingLayer()) return true;
    // A form handles Escape itself, but it doesn't have focus while its fields are loading.
    if (isReplayed(event) || isTyping(event.target) || isInLayer(event.target)) return false;
    const form = loadingForm();
    return form ? replayOn(form, event) : wasHeld;
  };

  /** Runs before the focused field because earlier keystrokes for it may still be queued. */
  const onCapture = (event: KeyboardEvent): void => {
    if (opensQuickFind(event) && isInLayer(event.target) && singleKeys()) event.preventDefault();
    if (isReplayed(event)) return;
    const isEscape = event.key === 'Escape';
    if (isScreenSlow() && (isEscape || historyStep(event) !== undefined)) {
      const wasWaiting = cancelScreenWait();
      // Escape was meant for the keys, unless a field or a layer has the focus.
      if (wasWaiting && isEscape && !isTyping(event.target) && !isInLayer(event.target)) return swallow(event);
    }
    if (!isQueued(isTyping(event.target)) || isComposing(event)) return;
    const closesLayer = isEscape && isLayerPending();
    if (closesLayer ? !discardAndClose(event) : !canBeReplayed(event)) return;
    swallow(event);
    if (closesLayer) return;
    runOrEnqueue(createReplay(event));
  };

  /** Holds pasted text like typed text, if it would otherwise overtake earlier keystrokes or miss its layer. */
  const onPaste = (event: ClipboardEvent): void => {
    const isLate = isQueued(isTyping(event.target)) && !isReplayed(event);
    const text = event.clipboardData?.getData('text/plain');
    if (!text || !(isLate || (isLayerLoading() && !isTyping(event.target)))) return;
    swallow(event);
    (isLate ? runOrEnqueue : runWithLayer)(() => replayPaste(text));
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isComposing(event)) return;
    if (isReplayed(event) || !isDestinationPending() || !canBeQueued(event)) {
      handle(event);
      if (!event.defaultPrevented && canMove(historyStep(event))) void waitForView(historyMove());
      return;
    }
    // The new screen has another active row, so the key waits for it.
    event.preventDefault();
    runOrEnqueue(() => replay(event));
  };

  /** Keys pressed after the mouse's Back or Forward button are meant for the view that it leads to. */
  const onMouseUp = (event: MouseEvent): void => {
    const step = historyButton(event);
    if (event.defaultPrevented || step === undefined) return;
    if (isScreenSlow()) cancelScreenWait();
    if (canMove(step)) void waitForView(historyMove());
  };

  const handle = (event: KeyboardEvent): void => {
    if (document.querySelector('dialog[open]')) {
      if (opensQuickFind(event) && singleKeys()) event.preventDefault();
      return cancel();
    }
    if (event.key === 'Tab') expectOtherEnter();
    if (endsTyping(event)) {
      stopDiscarding();
      forgetFailedLayer();
    }
    if (typesText(event) && isDiscarded(event.key)) {
      cancel();
      keepTyping(createReplay(event));
      return event.preventDefault();
    }
    if (isLayerLoading() && !isTyping(event.target)) {
      cancel();
      if (isPaste(event)) return;
      if (event.key !== 'Escape') {
        event.preventDefault();
        if (canBeReplayed(event)) runWithLayer(createReplay(event));
        return;
      }
      if (discardAndClose(event)) return event.preventDefault();
    }
    if (event.key === 'Escape' && resolver.isPending()) {
      event.preventDefault();
      return cancel();
    }
    // Holding the first key of a sequence doesn't continue or cancel it.
    if (event.repeat && resolver.isPending()) return event.preventDefault();
    const candidates = bindings().filter(({ command, presses }) =>
      canFire(event, presses, command.repeats, singleKeys()),
    );
    for (const step of resolver.press(event, candidates)) {
      if (step.kind === 'none') {
        // A chord without a binding also ends a sequence, and is left to the browser.
        if (!resolver.isPending()) endSequence();
        continue;
      }
      event.preventDefault();
      endSequence();
      if (step.kind === 'pending') wait(step);
      else if (step.kind === 'run') {
        forgetFailedLayer();
        run(step.bindings);
      }
    }
    if (opensQuickFind(event) && singleKeys()) event.preventDefault();
  };

  const stopWatching = watchLayers(() => {
    if (!isLayerLoading()) cancelLayer();
  });
  window.addEventListener('keydown', onCapture, true);
  window.addEventListener('paste', onPaste, true);
  window.addEventListener('keydown', onKeyDown);
  window.addEventListener('mouseup', onMouseUp);
  window.addEventListener('blur', cancel);
  window.addEventListener('pointerdown', stopDiscarding, true);
  return () => {
    cancel();
    stopWatching();
    window.removeEventListener('keydown', onCapture, true);
    window.removeEventListener('paste', onPaste, true);
    window.removeEventListener('keydown', onKeyDown);
    window.removeEventListener('mouseup', onMouseUp);
    window.removeEventListener('blur', cancel);
    window.removeEventListener('pointerdown', stopDiscarding, true);
  };
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** True if the page's history may have an entry at this step. Older browsers don't tell. */
function canMove(step: -1 | 1 | undefined): boolean {
  const { navigation } = window as Partial<Pick<Window, 'navigation'>>;
  if (step === undefined) return false;
  return (step === -1 ? navigation?.canGoBack : navigation?.canGoForward) ?? true;
}

/** Resolves when the browser has moved through the history. Until then, the previous view is visible. */
function historyMove(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(limit);
      window.removeEventListener('popstate', end);
      resolve();
    };
    const limit = setTimeout(end, HISTORY_MS);
    window.addEventListener('popstate', end);
  });
}

/** True if this event can trigger the binding, regardless of its keys. */
function canFire(
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

/** True for keys that start Firefox's page search unless handled. Text typed next would then go to the search. */
function opensQuickFind(event: KeyboardEvent): boolean {
  return (event.key === '/' || event.key === "'") && !hasModifier(event) && !isTyping(event.target);
}

/** True inside a dialog or popover. These stop the propagation of keys, so the bubbling listener doesn't see them. */
function isInLayer(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog, [role="dialog"]') !== null;
}

/** True for keystrokes outside fields and dialogs. They are meant for the screen, so they wait for it to load. */
function canBeQueued(event: KeyboardEvent): boolean {
  const isLayer = document.querySelector('dialog[open]') !== null || isTyping(event.target);
  return !isLayer && !hasModifier(event) && canBeReplayed(event);
}

/** True for the chord that makes the browser paste, which the console handles when the text arrives. */
function isPaste({ ctrlKey, metaKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && key.toLowerCase() === 'v';
}

/** True for a keystroke that is part of typed text: a character, or the Enter that ends it. */
function typesText(event: KeyboardEvent): boolean {
  return !hasModifier(event) && (event.key.length === 1 || event.key === 'Enter');
}

/** True for a keystroke that ends the discarding, because it can't be part of the text being discarded. */
function endsTyping(event: KeyboardEvent): boolean {
  return (
    isTyping(event.target) ||
    event.key === 'Escape' ||
    event.key.startsWith('Arrow') ||
    ((event.ctrlKey || event.metaKey) && event.key.length === 1)
  );
}

/** True for a keystroke that no field uses for text or editing. */
function isChord([mods, key]: Press): boolean {
  return mods.some((mod) => mod === 'Control' || mod === 'Meta') || (typeof key === 'string' && /^F\d+$/.test(key));
}
