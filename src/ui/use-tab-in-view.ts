import { useEffect, useRef, type RefObject } from 'react';

const OPEN = '[aria-pressed=true], [aria-current], [data-state=active]';

/**
 * Scrolls a strip of tabs that is too narrow for all of them to the open one: whenever `open` changes, and when the
 * strip or a tab gets another width (a panel opens beside it, counts arrive). A tab that gets the focus is scrolled to
 * as well: browsers leave one that is seen in part where it is.
 */
export function useTabInView<Strip extends HTMLElement>(open: string | undefined): RefObject<Strip | null> {
  const strip = useRef<Strip>(null);
  useEffect(() => {
    const element = strip.current;
    if (!element) return undefined;
    const scrollTo = (tab: Element | null): void => {
      if (!tab) return;
      const { left, right } = element.getBoundingClientRect();
      const box = tab.getBoundingClientRect();
      element.scrollLeft += Math.min(0, box.left - left) + Math.max(0, box.right - right);
    };
    const show = (): void => scrollTo(element.querySelector(OPEN));
    const follow = ({ target }: FocusEvent): void => {
      if (target !== element && target instanceof Element) scrollTo(target);
    };
    show();
    const widths = new ResizeObserver(show);
    for (const item of [element, ...element.children]) widths.observe(item);
    element.addEventListener('focusin', follow);
    return () => {
      widths.disconnect();
      element.removeEventListener('focusin', follow);
    };
  }, [open]);
  return strip;
}
