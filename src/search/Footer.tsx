import { cx } from '#src/ui/cx.ts';
import { Kbd } from '#src/ui/Kbd.tsx';
import type { KeyHint } from '#src/ui/key-hint.ts';

export interface Hint {
  readonly keys: KeyHint;
  readonly label: string;
  /** Does the same as the keys. Absent if only the field can handle them. */
  readonly run?: () => void;
}

/** The palette's current keys, clickable where the mouse can do the same. The last key is on the right. */
export function Footer({ hints }: { readonly hints: readonly Hint[] }) {
  return (
    <footer className="flex items-center gap-2 border-t border-line px-2 py-1 text-label text-ink-2">
      {hints.map(({ keys, label, run }, index) => {
        const itemClass = cx('px-2 py-1', index === hints.length - 1 && index > 0 && 'ml-auto');
        if (!run)
          return (
            <span key={label} className={itemClass}>
              <Kbd keys={keys.text} framed /> {label}
            </span>
          );
        return (
          <button
            key={label}
            type="button"
            {...keys.attributes}
            // Keyboard users press the key itself, and Tab has its own meaning in the field.
            tabIndex={-1}
            // A press must not take focus from the field.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={run}
            className={cx(itemClass, 'rounded-field hover:bg-surface-2 hover:text-ink-1')}
          >
            <Kbd keys={keys.text} framed /> {label}
          </button>
        );
      })}
    </footer>
  );
}
