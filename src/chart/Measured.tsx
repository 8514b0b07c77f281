import { useEffect, useRef, type ReactNode } from 'react';

/** The rest of a column. Reports its width, which decides how many values a chart has room for. */
export function Measured({
  onWidth,
  children,
}: {
  readonly onWidth: (width: number) => void;
  readonly children: ReactNode;
}) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => onWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [onWidth]);
  return (
    <div ref={root} className="min-h-0 flex-1 overflow-hidden">
      {children}
    </div>
  );
}
