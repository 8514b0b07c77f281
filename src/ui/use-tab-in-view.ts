import { useEffect, useRef, type RefObject } from 'react';

import { watchEdges } from './scroll-edges.ts';

/** The width of a faded edge (`faded-edges` in theme.css), in px. */
const FADE = 28;

const OPEN_TAB = '[aria-pressed=true], [aria-current], [data-state=active]';

/**
 * Keeps the open tab visible in a strip of tabs that scrolls, even when the width of the strip or a tab changes. Marks
 * the edges that hide more tabs. Also scrolls to the focused tab, which browsers don't do if it is partly visible.
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
      element.scrollLeft += Math.min(0, box.left - FADE - left) + Math.max(0, box.right + FADE - right);
    };
    const show = (): void => scrollTo(element.querySelector(OPEN_TAB));
    const onFocus = ({ target }: FocusEvent): void => {
      if (target !== element && target instanceof Element) scrollTo(target);
    };
    show();
    const stopWatching = watchEdges(element, show);
    element.addEventListener('focusin', onFocus);
    return () => {
      stopWatching();
      element.removeEventListener('focusin', onFocus);
    };
  }, [open]);
  return strip;
}
