import { X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';

import { Button } from '#src/ui/Button.tsx';
import { cx } from '#src/ui/cx.ts';

import type { Toast, ToastStore } from './toast-store.ts';

interface ToastsProps {
  readonly store: ToastStore;
  /** The parent element. */
  readonly container: HTMLElement | null;
  /** Accessible name of the region. */
  readonly label: string;
  /** Accessible name of a toast's close button. */
  readonly closeLabel: string;
}

const NO_KEY: string[] = [];

/** The toasts, newest on top, without icons (spec 9). They stay while hovered or focused. */
export function Toasts({ store, container, label, closeLabel }: ToastsProps) {
  const toasts = useSyncExternalStore(store.subscribe, store.list);
  const dismiss = ({ id, onDismiss }: Toast): void => {
    store.close(id);
    onDismiss?.();
  };
  const runAction = ({ id, action }: Toast): void => {
    store.close(id);
    action?.run();
  };
  return (
    <Radix.Provider label={label} swipeDirection="right">
      {toasts.toReversed().map((toast) => (
        <Radix.Root
          key={toast.id}
          type={toast.tone === 'error' ? 'foreground' : 'background'}
          duration={toast.duration}
          open
          // Radix closes toasts on Escape anywhere on the page, which must not dismiss anything unseen.
          onOpenChange={(open) => !open && !toast.onDismiss && store.close(toast.id)}
          onKeyDown={(event) => event.key === 'Escape' && dismiss(toast)}
          className={cx(
            'flex animate-appear items-start gap-3 rounded-overlay border-l-2 bg-surface-1 py-2.5 pr-2 pl-3 shadow-overlay',
            toast.tone === 'error' ? 'border-l-health-error' : 'border-l-transparent',
          )}
        >
          {/* A long action wraps below the text instead of squeezing the text to the width of a word. */}
          <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2">
            <div className="min-w-40 flex-1">
              <Radix.Title className="font-medium text-ink-1">{toast.title}</Radix.Title>
              {toast.detail && <Radix.Description className="break-words text-ink-2">{toast.detail}</Radix.Description>}
            </div>
            {toast.action && (
              <Radix.Action asChild altText={toast.action.label}>
                <Button keys={toast.action.keys} onClick={() => runAction(toast)}>
                  {toast.action.label}
                </Button>
              </Radix.Action>
            )}
          </div>
          <Radix.Close
            aria-label={closeLabel}
            onClick={() => dismiss(toast)}
            className="rounded-chip p-0.5 text-ink-3 hover:bg-surface-3 hover:text-ink-1"
          >
            <X size={13} aria-hidden />
          </Radix.Close>
        </Radix.Root>
      ))}
      {/* Radix appends new toasts to the viewport, so its reversed column shows the newest on top. */}
      {container &&
        createPortal(
          // Every key of the console is a command's, so the viewport has none of its own.
          <Radix.Viewport
            hotkey={NO_KEY}
            label={label}
            className="pointer-events-auto flex w-90 max-w-full flex-col-reverse gap-2"
          />,
          container,
        )}
    </Radix.Provider>
  );
}
