import { useEffect, type RefObject } from 'react';

/** Marks the sides where a scrolled element has more content, as `data-more="start end"`, for style sheets to fade. */
export function markEdges(element: HTMLElement): void {
  const { scrollLeft, scrollWidth, clientWidth } = element;
  const sides = [
    ...(scrollLeft > 1 ? ['start'] : []),
    ...(scrollLeft + clientWidth < scrollWidth - 1 ? ['end'] : []),
  ].join(' ');
  if (sides === '') delete element.dataset['more'];
  else if (element.dataset['more'] !== sides) element.dataset['more'] = sides;
}

/** Keeps an element's edge marks up to date when it scrolls, or when it or its content changes. `onSize` runs first. */
export function watchEdges(element: HTMLElement, onSize?: () => void): () => void {
  const update = (): void => markEdges(element);
  const resizeObserver = new ResizeObserver(() => {
    onSize?.();
    update();
  });
  const observeAll = (): void => {
    resizeObserver.disconnect();
    for (const item of [element, ...element.children]) resizeObserver.observe(item);
  };
  const mutationObserver = new MutationObserver(() => {
    observeAll();
    update();
  });
  observeAll();
  update();
  mutationObserver.observe(element, { childList: true });
  element.addEventListener('scroll', update, { passive: true });
  return () => {
    resizeObserver.disconnect();
    mutationObserver.disconnect();
    element.removeEventListener('scroll', update);
  };
}

/** Calls {@link watchEdges} while the component is mounted. */
export function useScrollEdges(strip: RefObject<HTMLElement | null>): void {
  useEffect(() => (strip.current ? watchEdges(strip.current) : undefined), [strip]);
}
