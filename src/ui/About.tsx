interface AboutProps {
  /** Can be empty. The line keeps its height, so nothing below it moves. */
  readonly children: string;
}

/** A line about the highlighted row, above the hints of a list. */
export function About({ children }: AboutProps) {
  return (
    <p aria-live="polite" className="min-h-8 border-t border-line bg-surface-0 px-4 py-1.5 text-ink-3">
      {children}
    </p>
  );
}
