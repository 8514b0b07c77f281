import { useEffect, useRef, type RefObject } from 'react';

import { followEdges } from './scroll-edges.ts';

const OPEN = '[aria-pressed=true], [aria-current], [data-state=active]';

/**
 * Scrolls a narrow strip of tabs to the open one when `open` changes, or when the strip or a tab changes its width (a
 * panel opens, counts arrive), and marks the edges with more tabs. Also scrolls to a focused tab, which browsers do not
 * do if it is partly visible.
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
    const unfollow = followEdges(element, show);
    element.addEventListener('focusin', follow);
    return () => {
      unfollow();
      element.removeEventListener('focusin', follow);
    };
  }, [open]);
  return strip;
}
