import { useEffect, useRef, type RefObject } from 'react';

/**
 * Focuses the element (with `tabIndex={-1}`) on mount, so screen readers announce it and Tab continues from there. Does
 * nothing if a descendant already has focus.
 */
export function useFocusOnMount(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!ref.current?.contains(document.activeElement)) ref.current?.focus();
  }, []);
  return ref;
}
