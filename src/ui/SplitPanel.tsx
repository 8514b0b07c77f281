import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react';

// The design's limits for the panel: 360 to 720 px.
const MIN_WIDTH = 360;
const MAX_WIDTH = 720;
const STEP = 16;

const clamp = (width: number) => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));

interface SplitPanelProps {
  readonly children: ReactNode;
  /** The panel on the right. If there is none, the children take the full width and keep their state. */
  readonly panel?: ReactNode;
  /** Width in px, clamped to the range from 360 to 720. */
  readonly width: number;
  /** Called while dragging and on arrow keys. Save the width to reopen the panel with it. */
  readonly onWidth: (width: number) => void;
  /** Accessible name of the divider, for example "Resize panel". */
  readonly resizeLabel: string;
}

/**
 * Main content with a resizable panel beside it. This is our own component, because react-resizable-panels (68 KB gzip)
 * would be a quarter of the first load.
 */
export function SplitPanel({ children, panel, width, onWidth, resizeLabel }: SplitPanelProps) {
  const current = clamp(width);
  const dragStart = useRef<{ x: number; width: number }>(undefined);
  const { main, aside, onBlur } = useFocusReturn();
  const drag = (event: PointerEvent) => {
    if (dragStart.current) onWidth(clamp(dragStart.current.width + dragStart.current.x - event.clientX));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: current + STEP,
      ArrowRight: current - STEP,
      Home: MIN_WIDTH,
      End: MAX_WIDTH,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onWidth(clamp(next));
  };
  return (
    <div className="flex h-full min-h-0 min-w-0" onBlur={onBlur}>
      <div ref={main} className="min-w-0 flex-1">
        {children}
      </div>
      {panel && (
        <div
          ref={aside}
          tabIndex={-1}
          className="relative h-full shrink-0 border-l border-line bg-surface-1 outline-none"
          style={{ width: current }}
        >
          <div
            role="separator"
            tabIndex={0}
            aria-label={resizeLabel}
            aria-orientation="vertical"
            aria-valuemin={MIN_WIDTH}
            aria-valuemax={MAX_WIDTH}
            aria-valuenow={current}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              dragStart.current = { x: event.clientX, width: current };
            }}
            onPointerMove={drag}
            onPointerUp={() => (dragStart.current = undefined)}
            onPointerCancel={() => (dragStart.current = undefined)}
            className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-[3px] after:w-0.5 hover:after:bg-accent focus-visible:outline-none focus-visible:after:bg-accent"
          />
          {panel}
        </div>
      )}
    </div>
  );
}

/**
 * Prevents focus from returning to the top of the page when the focused element in the panel disappears. Moves focus to
 * the panel or, if the panel closed, back to the element that had focus before.
 */
function useFocusReturn() {
  const main = useRef<HTMLDivElement>(null);
  const aside = useRef<HTMLDivElement>(null);
  const focusState = useRef<{ isInPanel: boolean; before?: HTMLElement | undefined }>({ isInPanel: false });

  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      focusState.current.isInPanel = target instanceof Node && aside.current?.contains(target) === true;
      if (target instanceof HTMLElement && main.current?.contains(target)) focusState.current.before = target;
    };
    // Do not return focus to an element that was blurred on purpose, such as the filter on Enter.
    const onFocusOut = ({ target, relatedTarget }: FocusEvent): void => {
      if (target === focusState.current.before && relatedTarget === null) focusState.current.before = undefined;
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', onFocusOut);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', onFocusOut);
    };
  }, []);

  useEffect(() => {
    const { isInPanel, before } = focusState.current;
    if (!isInPanel || document.activeElement !== document.body) return;
    if (aside.current) aside.current.focus();
    else if (before?.isConnected) before.focus();
  });

  // A click on an unfocusable element leaves the panel. React fires no blur event if the focused element is removed.
  const onBlur = (): void => void (focusState.current.isInPanel = false);
  return { main, aside, onBlur };
}
