import { useEffect, useRef, type RefObject } from 'react';

const OPEN = '[aria-pressed=true], [aria-current], [data-state=active]';

/** Scrolls a strip of tabs that is too narrow for all of them to the open one, whenever `open` changes. */
export function useTabInView<Strip extends HTMLElement>(open: string | undefined): RefObject<Strip | null> {
  const strip = useRef<Strip>(null);
  useEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>(OPEN);
    if (!strip.current || !tab) return;
    const { left, right } = strip.current.getBoundingClientRect();
    const box = tab.getBoundingClientRect();
    strip.current.scrollLeft += Math.min(0, box.left - left) + Math.max(0, box.right - right);
  }, [open]);
  return strip;
}
