import { Tooltip as Radix } from 'radix-ui';
import { type ReactElement, useContext, useEffect, useRef, useState } from 'react';
import { Kbd } from './Kbd.tsx';
import { OverlayContainer } from './overlay-container.ts';

// Spec 9: shows after 100 ms, hides after 200 ms, 10 px away.
const SHOW_DELAY = 100;
const HIDE_DELAY = 200;
const DISTANCE = 10;

interface TooltipProps {
  text: string;
  /** The keys that do the same as the element. */
  keys?: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** One focusable element that takes a ref. */
  children: ReactElement;
}

export function Tooltip({ text, keys, side = 'bottom', children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  const container = useContext(OverlayContainer);
  const hiding = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(hiding.current), []);
  // Radix has a delay for showing only.
  const change = (next: boolean) => {
    clearTimeout(hiding.current);
    if (next) setOpen(true);
    else hiding.current = setTimeout(() => setOpen(false), HIDE_DELAY);
  };
  return (
    <Radix.Provider delayDuration={SHOW_DELAY}>
      <Radix.Root open={open} onOpenChange={change}>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal container={container}>
          <Radix.Content
            side={side}
            sideOffset={DISTANCE}
            collisionPadding={8}
            className="z-50 flex max-w-72 animate-appear items-center gap-2 rounded-field bg-surface-3 px-2 py-1 text-label text-ink-1 shadow-overlay"
          >
            {text}
            {keys && <Kbd keys={keys} framed />}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  );
}
