import { cx } from '#src/ui/cx.ts';
import { tip } from '#src/ui/tip.ts';

interface FilterChipProps {
  readonly id: string;
  /** The term as typed, such as `health:ERROR`. */
  readonly text: string;
  readonly active: boolean;
  /** The problem with the term, if any. */
  readonly problem?: string;
}

/** Shows one term of a filter, with its key in the accent color. */
export function FilterChip({ id, text, active, problem }: FilterChipProps) {
  const [, key = '', value = text] = /^(-?[\w.]+(?::|<|>))(.+)$/s.exec(text) ?? [];
  return (
    <span
      id={id}
      // The suggestions are below the line.
      {...tip(problem, { side: 'top' })}
      className={cx(
        'type-mono inline-flex h-[22px] shrink-0 items-center rounded-chip border px-1.5 whitespace-pre',
        active ? 'border-accent bg-selected' : 'border-line-strong bg-surface-2',
        problem !== undefined && 'underline decoration-health-error decoration-wavy',
      )}
    >
      <span className="text-accent">{key}</span>
      <span className="text-ink-1">{value}</span>
    </span>
  );
}
