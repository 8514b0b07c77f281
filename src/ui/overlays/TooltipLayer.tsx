import { Tooltip as Radix } from 'radix-ui';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

import { Kbd } from '#src/ui/Kbd.tsx';

import { watchTips, type Tip } from './watch-tips.ts';

/** Distance in px between an element and its tooltip (spec 9). */
const DISTANCE = 10;

/** Shows the tooltips of the page, one at a time. They ignore the pointer, so they never block what is below. */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip>();
  useEffect(() => watchTips(setTip, () => flushSync(() => setTip(undefined))), []);
  if (!tip) return null;
  const { left, top, width, height } = tip.target.getBoundingClientRect();
  return (
    <Radix.Provider disableHoverableContent>
      <Radix.Root open key={`${left} ${top}`}>
        <Radix.Trigger asChild>
          <span aria-hidden className="pointer-events-none fixed" style={{ left, top, width, height }} />
        </Radix.Trigger>
        {/* A modal dialog is above the body. */}
        <Radix.Portal container={tip.target.closest('dialog')}>
          {/* Hidden from screen readers, which read the name and description of the element itself. */}
          <Radix.Content
            aria-hidden
            side={tip.side}
            sideOffset={DISTANCE}
            collisionPadding={8}
            className="pointer-events-none z-50 flex max-w-80 animate-appear items-center gap-2 rounded-field border border-line bg-surface-3 px-2 py-1 text-label text-ink-1 shadow-overlay"
          >
            <span className="min-w-0 break-words whitespace-pre-line">{tip.text}</span>
            {tip.keys && <Kbd keys={tip.keys} framed />}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
