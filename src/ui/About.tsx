interface AboutProps {
  /** Empty where nothing is to be said: the line keeps its place, so that nothing below it jumps. */
  readonly children: string;
}

/** One line about what is pointed at, above the hints of a list. */
export function About({ children }: AboutProps) {
  return (
    <p aria-live="polite" className="min-h-8 border-t border-line bg-surface-0 px-4 py-1.5 text-ink-3">
      {children}
    </p>
  );
}
