import { Chip } from './Chip.tsx';
import { fitChips } from './fit-chips.ts';
import { tip } from './tip.ts';

interface TagChipsProps {
  readonly names: readonly string[];
  /** Available width in px. Shows as many chips as fit, then `+2`. If undefined, all chips are shown and wrap. */
  readonly width?: number;
}

/** An item's tags. Counts the tags that don't fit. The counter's tooltip and screen-reader text list them. */
export function TagChips({ names, width }: TagChipsProps) {
  if (names.length === 0) return null;
  const visibleCount = width === undefined ? names.length : fitChips(names, width);
  const collapsedNames = names.slice(visibleCount);
  const hiddenNames = collapsedNames.join(', ');
  return (
    <span className={width === undefined ? 'flex flex-wrap gap-1' : 'flex items-center gap-1'}>
      {names.slice(0, visibleCount).map((name, index) => (
        // Keyed by position, because in a table, the chips of one row become those of the next, and only their text
        // changes.
        <Chip key={index}>{name}</Chip>
      ))}
      {collapsedNames.length > 0 && (
        <span {...tip(hiddenNames)} className="shrink-0 text-label text-ink-3">
          <span aria-hidden>+{collapsedNames.length}</span>
          <span className="sr-only">, {hiddenNames}</span>
        </span>
      )}
    </span>
  );
}
