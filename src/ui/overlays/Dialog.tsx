import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

import { cx } from '#src/ui/cx.ts';
import { OverlayContainer } from '#src/ui/overlay-container.ts';

import { showModal } from './show-modal.ts';

interface DialogProps {
  readonly open: boolean;
  /** Called on Escape. A click outside does nothing (spec 9). */
  readonly onCancel: () => void;
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons at the bottom right. */
  readonly actions?: ReactNode;
  readonly width?: number;
  readonly className?: string;
  /** The dialog's own keys. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLDialogElement>) => void;
}

/**
 * A modal dialog above the page. Uses the native dialog element, which traps focus and makes the page inert. Radix's
 * dialog would add a style element, which the content security policy blocks.
 */
export function Dialog({ open, onCancel, title, children, actions, width = 480, className, onKeyDown }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!open || !dialog) return;
    const before = document.activeElement;
    showModal(dialog, dialog.querySelector<HTMLElement>('input, [data-autofocus]'));
    setContainer(dialog);
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      style={{ width }}
      onCancel={(event) => {
        // The owner decides whether it closes, by changing `open`.
        event.preventDefault();
        onCancel();
      }}
      // Only the dialog's own keys apply inside it.
      onKeyDown={(event) => {
        event.stopPropagation();
        onKeyDown?.(event);
      }}
      className={cx(
        'm-auto max-h-[80vh] max-w-[calc(100vw-32px)] animate-appear overflow-hidden rounded-overlay bg-surface-1 text-ink-1 shadow-overlay open:flex open:flex-col',
        className,
      )}
    >
      <OverlayContainer value={container}>
        <h2 id={titleId} className="px-4 pt-4 pb-2 text-title font-semibold">
          {title}
        </h2>
        <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-4">{children}</div>
        {actions && <div className="flex justify-end gap-2 border-t border-line bg-surface-0 px-4 py-3">{actions}</div>}
      </OverlayContainer>
    </dialog>
  );
}
