import { useAtom, useSetAtom } from 'jotai';
import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react';

import { expandedRowAtom, tabToFocusAtom } from '#src/state/focus.ts';

const HEAD = '[data-row-head]';

/**
 * Focuses the first row when the user switches to the tab with a key.
 *
 * @returns the handler of the arrow keys, which move between the rows
 */
export function useListFocus(list: RefObject<HTMLElement | null>, tab: string): (event: KeyboardEvent) => void {
  const [enteredTab, setEnteredTab] = useAtom(tabToFocusAtom);
  const isEntering = enteredTab === tab;
  useEffect(() => {
    if (!isEntering) return;
    setEnteredTab(undefined);
    list.current?.querySelector<HTMLElement>(HEAD)?.focus();
  }, [isEntering, setEnteredTab, list]);
  return (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const heads = [...(list.current?.querySelectorAll<HTMLElement>(HEAD) ?? [])];
    const index = heads.findIndex((head) => head.contains(document.activeElement));
    const next = heads[index + step];
    if (!next && index < 0) return;
    event.preventDefault();
    // Past the last row, the key must not move the cursor of the table behind the panel.
    event.stopPropagation();
    next?.focus();
  };
}

/**
 * Returns the key of the expanded row, and a function that expands a row. An expanded row is its own layer, so closing
 * the topmost layer closes only the row.
 */
export function useExpandedRow(
  list: RefObject<HTMLElement | null>,
  keys: readonly string[],
): readonly [string | undefined, (key: string | undefined) => void] {
  const [open, setOpen] = useState<string>();
  const setExpandedRow = useSetAtom(expandedRowAtom);
  const isOpen = open !== undefined && keys.includes(open);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (): void => {
      setOpen(undefined);
      list.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    };
    setExpandedRow({ close });
    return () => setExpandedRow((row) => (row?.close === close ? undefined : row));
  }, [isOpen, setExpandedRow, list]);
  return [open, setOpen];
}
