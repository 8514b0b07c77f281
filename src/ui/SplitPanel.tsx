import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react';

// The look's panel: 360 to 720 px wide.
const NARROWEST = 360;
const WIDEST = 720;
const STEP = 16;

const clamp = (width: number) => Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));

interface SplitPanelProps {
  readonly children: ReactNode;
  /** The panel at the right; without it the children have all the room and keep their state. */
  readonly panel?: ReactNode;
  /** px; clamped to 360-720. */
  readonly width: number;
  /** While dragging and on the keyboard. Keep it, so that the panel opens as it was. */
  readonly onWidth: (width: number) => void;
  /** Accessible name of the divider: "Resize panel". */
  readonly resizeLabel: string;
}

/**
 * Main content with a resizable panel beside it. Ours, because react-resizable-panels (68 KB gzip) would take a quarter
 * of the first load for this one divider.
 */
export function SplitPanel({ children, panel, width, onWidth, resizeLabel }: SplitPanelProps) {
  const current = clamp(width);
  const grabbed = useRef<{ x: number; width: number }>(undefined);
  const { main, aside, onBlur } = useKeptFocus();
  const drag = (event: PointerEvent) => {
    if (grabbed.current) onWidth(clamp(grabbed.current.width + grabbed.current.x - event.clientX));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = {
      ArrowLeft: current + STEP,
      ArrowRight: current - STEP,
      Home: NARROWEST,
      End: WIDEST,
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
            aria-valuemin={NARROWEST}
            aria-valuemax={WIDEST}
            aria-valuenow={current}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              grabbed.current = { x: event.clientX, width: current };
            }}
            onPointerMove={drag}
            onPointerUp={() => (grabbed.current = undefined)}
            onPointerCancel={() => (grabbed.current = undefined)}
            className="absolute inset-y-0 -left-1 z-10 w-2 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-[3px] after:w-0.5 hover:after:bg-accent focus-visible:outline-none focus-visible:after:bg-accent"
          />
          {panel}
        </div>
      )}
    </div>
  );
}

/**
 * What had the focus in the panel goes away when the panel shows something else or closes, and the browser would begin
 * at the top of the page: the panel takes the focus, or once it is closed what had it before.
 */
function useKeptFocus() {
  const main = useRef<HTMLDivElement>(null);
  const aside = useRef<HTMLDivElement>(null);
  const held = useRef<{ inPanel: boolean; before?: HTMLElement | undefined }>({ inPanel: false });

  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      held.current.inPanel = target instanceof Node && aside.current?.contains(target) === true;
      if (target instanceof HTMLElement && main.current?.contains(target)) held.current.before = target;
    };
    // Left for nothing, as the filter is by Enter: that is not where one comes back to.
    const onLeave = ({ target, relatedTarget }: FocusEvent): void => {
      if (target === held.current.before && relatedTarget === null) held.current.before = undefined;
    };
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', onLeave);
    return () => {
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', onLeave);
    };
  }, []);

  useEffect(() => {
    const { inPanel, before } = held.current;
    if (!inPanel || document.activeElement !== document.body) return;
    if (aside.current) aside.current.focus();
    else if (before?.isConnected) before.focus();
  });

  // Somebody who clicks where nothing takes the focus has left the panel. What goes away with the focus tells React of
  // no blur.
  const onBlur = (): void => void (held.current.inPanel = false);
  return { main, aside, onBlur };
}
