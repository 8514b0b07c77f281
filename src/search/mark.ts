import { type RefObject, useLayoutEffect } from 'react';

import type { Range } from '#commands/text/score.ts';

const NAME = 'palette-match';

/** Letters to mark in the label of each row, keyed by the id of the row's element. */
export type Marks = ReadonlyMap<string, readonly Range[]>;

/**
 * Marks matching letters with the CSS Custom Highlight API. It needs no element per letter, so many matches don't slow
 * down a list. Does nothing if the browser doesn't support this API.
 */
export function useMarks(list: RefObject<HTMLElement | null>, marks: Marks): void {
  useLayoutEffect(() => {
    if (!list.current || typeof CSS === 'undefined' || !('highlights' in CSS)) return undefined;
    // Live ranges would slow down every change of a text until they are collected as garbage.
    const ranges: StaticRange[] = [];
    for (const [id, letters] of marks) {
      const text = document.getElementById(id)?.querySelector('[data-label]')?.firstChild;
      if (!text) continue;
      const length = text.textContent?.length ?? 0;
      for (const [from, to] of letters) {
        if (to > length) continue;
        ranges.push(new StaticRange({ startContainer: text, startOffset: from, endContainer: text, endOffset: to }));
      }
    }
    CSS.highlights.set(NAME, new Highlight(...ranges));
    return () => void CSS.highlights.delete(NAME);
  }, [list, marks]);
}
