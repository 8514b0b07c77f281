import type { ReactNode } from 'react';

import { cx } from './cx.ts';
import { Kbd } from './Kbd.tsx';
import type { KeyHint } from './key-hint.ts';
import { useTabInView } from './use-tab-in-view.ts';

interface ToggleTab {
  readonly id: string;
  readonly label: string;
  readonly keys?: KeyHint | undefined;
  /** Shown after the label. */
  readonly suffix?: ReactNode;
}

interface ToggleTabsProps {
  readonly tabs: readonly ToggleTab[];
  /** The id of the active tab. Undefined if none is active. */
  readonly value: string | undefined;
  readonly onValue: (id: string) => void;
  readonly label: string;
  /** True to wrap into several lines instead of scrolling sideways. */
  readonly wraps?: boolean;
}

/** Views of one list. Choosing one changes the filter, so they are toggle buttons rather than tabs of a panel. */
export function ToggleTabs({ tabs, value, onValue, label, wraps = false }: ToggleTabsProps) {
  const strip = useTabInView<HTMLDivElement>(value);
  return (
    // The buttons take focus, not the scrollable strip.
    <div
      ref={strip}
      tabIndex={-1}
      role="group"
      aria-label={label}
      className={cx('gap-1 px-2', wraps ? 'flex flex-wrap border-b border-line' : 'tab-strip h-tabs')}
    >
      {tabs.map((tab) => {
        const isPressed = tab.id === value;
        return (
          <button
            key={tab.id}
            type="button"
            {...tab.keys?.attributes}
            aria-pressed={isPressed}
            onClick={() => onValue(tab.id)}
            className={cx(
              'flex items-center gap-1.5 border-b-2 px-2.5 whitespace-nowrap',
              wraps && 'h-tabs',
              isPressed ? 'border-accent font-medium text-ink-1' : 'border-transparent text-ink-2 hover:text-ink-1',
            )}
          >
            {tab.keys && <Kbd keys={tab.keys.text} />}
            {tab.label}
            {tab.suffix}
          </button>
        );
      })}
    </div>
  );
}
