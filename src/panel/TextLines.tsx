import { useAtom } from 'jotai';
import { useEffect, useRef } from 'react';

import type { TextLine } from '#commands/model/entity.ts';
import { tabToFocusAtom } from '#src/state/focus.ts';

interface TextLinesProps {
  readonly title: string;
  /** The id of the tab that shows the text. */
  readonly tab: string;
  readonly lines: readonly TextLine[];
}

/** A text with line numbers. It can be scrolled with the keyboard, and copying it leaves out the numbers. */
export function TextLines({ title, tab, lines }: TextLinesProps) {
  const region = useRef<HTMLDivElement>(null);
  const [enteredTab, setEnteredTab] = useAtom(tabToFocusAtom);
  const isEntering = enteredTab === tab;
  useEffect(() => {
    if (!isEntering) return;
    setEnteredTab(undefined);
    region.current?.focus();
  }, [isEntering, setEnteredTab]);
  return (
    // A scrollable region without focusable content needs focus itself (WCAG 2.1.1).
    <div
      ref={region}
      role="region"
      aria-label={title}
      tabIndex={0}
      className="overflow-x-auto py-2 focus-visible:-outline-offset-2"
    >
      <ol className="type-mono grid w-max min-w-full grid-cols-[max-content_1fr] gap-x-3 px-4 leading-5">
        {lines.map(({ number, text }) => (
          <li key={number} className="contents">
            <span aria-hidden className="text-right text-ink-3 select-none">
              {number}
            </span>
            <code className="whitespace-pre">{text}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}
