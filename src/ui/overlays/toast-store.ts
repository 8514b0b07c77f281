import type { KeyHint } from '#src/ui/key-hint.ts';

export interface ToastAction {
  readonly label: string;
  readonly keys?: KeyHint;
  readonly run: () => void;
  /** True if the action applies only to the last change, so the next change removes it. */
  readonly untilNextChange?: true;
}

export interface Toast {
  readonly id: number;
  readonly title: string;
  readonly detail?: string;
  /** An error is announced immediately. Anything else waits until the screen reader pauses. */
  readonly tone?: 'neutral' | 'error';
  /** A follow-up action, such as undo. */
  readonly action?: ToastAction;
  /** How long it stays, in ms. Infinity means until the user closes it. */
  readonly duration: number;
  /** Called when the user closes it, rather than its action or its duration. */
  readonly onDismiss?: () => void;
}

export interface ToastStore {
  /** Newest first. The same array until something changes. */
  readonly list: () => readonly Toast[];
  readonly push: (toast: Omit<Toast, 'id' | 'duration'> & { duration?: number }) => number;
  readonly close: (id: number) => void;
  /** Removes the actions that applied to the previous change because there is a newer one. */
  readonly removeOutdatedActions: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** How long a toast is shown, in ms. */
const DURATION = 5000;
/** How long an error is shown, in ms. Users need time to read it and perhaps copy it. */
const ERROR_DURATION = 12_000;
/** Maximum number of toasts because more would cover the panel. The oldest that don't wait for the user go first. */
const MAX_TOASTS = 4;

/** True if a toast shows an error that a newer one shows again, and offers nothing that the newer one does not. */
const isRepeatedBy = (older: Toast, { title, detail, tone }: Omit<Toast, 'id' | 'duration'>): boolean =>
  tone === 'error' && older.tone === tone && !older.action && older.title === title && older.detail === detail;

function limit(toasts: readonly Toast[]): readonly Toast[] {
  if (toasts.length <= MAX_TOASTS) return toasts;
  const last = Math.max(
    toasts.findLastIndex(({ duration }, index) => index > 0 && duration < Infinity),
    0,
  );
  return limit(toasts.toSpliced(last === 0 ? toasts.length - 1 : last, 1));
}

export function createToastStore(): ToastStore {
  const listeners = new Set<() => void>();
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  const change = (next: readonly Toast[]) => {
    toasts = next;
    for (const listener of listeners) listener();
  };
  return {
    list: () => toasts,
    push(toast) {
      const id = ++lastId;
      const duration = toast.duration ?? (toast.tone === 'error' ? ERROR_DURATION : DURATION);
      const olderToasts = toasts.filter((older) => !isRepeatedBy(older, toast));
      change(limit([{ ...toast, id, duration }, ...olderToasts]));
      return id;
    },
    close(id) {
      if (toasts.some((toast) => toast.id === id)) change(toasts.filter((toast) => toast.id !== id));
    },
    removeOutdatedActions() {
      if (!toasts.some(({ action }) => action?.untilNextChange)) return;
      change(toasts.map(({ action, ...toast }) => (action && !action.untilNextChange ? { ...toast, action } : toast)));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
