import { useEffect, useRef, type RefObject } from 'react';

/**
 * What holds this (and has `tabIndex={-1}`) takes the focus as it appears, so that it is read out and Tab goes on
 * from here; unless a part of it has it.
 */
export function useFocusHere(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!ref.current?.contains(document.activeElement)) ref.current?.focus();
  }, []);
  return ref;
}
