import { useEffect, useRef, type RefObject } from 'react';

const OPEN = '[aria-pressed=true], [aria-current], [data-state=active]';

/**
 * Scrolls a strip of tabs that is too narrow for all of them to the open one: whenever `open` changes, and when the strip or a tab gets another width
 * (a panel opens beside it, counts arrive).
 */
export function useTabInView<Strip extends HTMLElement>(open: string | undefined): RefObject<Strip | null> {
  const strip = useRef<Strip>(null);
  useEffect(() => {
    const element = strip.current;
    if (!element) return undefined;
    const show = (): void => {
      const tab = element.querySelector<HTMLElement>(OPEN);
      if (!tab) return;
      const { left, right } = element.getBoundingClientRect();
      const box = tab.getBoundingClientRect();
      element.scrollLeft += Math.min(0, box.left - left) + Math.max(0, box.right - right);
    };
    show();
    const widths = new ResizeObserver(show);
    for (const each of [element, ...element.children]) widths.observe(each);
    return () => widths.disconnect();
  }, [open]);
  return strip;
}
