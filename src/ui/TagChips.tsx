import { Chip } from './Chip.tsx';
import { fitChips } from './fit-chips.ts';
import { tip } from './tip.ts';

interface TagChipsProps {
  readonly names: readonly string[];
  /** Room in px: as many chips as fit, then `+2`. Without it all are shown and wrap. */
  readonly width?: number;
}

/** Tags of one thing. What does not fit is counted, and named by the counter's tooltip and to a screen reader. */
export function TagChips({ names, width }: TagChipsProps) {
  if (names.length === 0) return null;
  const shown = width === undefined ? names.length : fitChips(names, width);
  const hidden = names.slice(shown);
  const hiddenNames = hidden.join(', ');
  return (
    <span className={width === undefined ? 'flex flex-wrap gap-1' : 'flex items-center gap-1'}>
      {names.slice(0, shown).map((name, place) => (
        // By place: in a table the chips of one row become those of the next, and only their text changes.
        <Chip key={place}>{name}</Chip>
      ))}
      {hidden.length > 0 && (
        <span {...tip(hiddenNames)} className="shrink-0 text-label text-ink-3">
          <span aria-hidden>+{hidden.length}</span>
          <span className="sr-only">, {hiddenNames}</span>
        </span>
      )}
    </span>
  );
}
