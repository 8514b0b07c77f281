import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { lazy, Suspense, useContext, type ReactNode } from 'react';

import type { CalendarProps } from './Calendar.tsx';
import { IconButton } from '#src/ui/IconButton.tsx';
import { OverlayContainer } from '#src/ui/overlay-container.ts';

/** Few pick a date: the calendar comes with the first one. */
const Calendar = lazy(async () => ({ default: (await import('./Calendar.tsx')).Calendar }));

interface DatePopoverProps {
  /** Of the button, and of what it opens. */
  readonly label: string;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly calendar: CalendarProps;
  /** Below the calendar. */
  readonly children: ReactNode;
}

/** A button that opens a calendar. Escape closes it and gives focus back. */
export function DatePopover({ label, open, onOpen, calendar, children }: DatePopoverProps) {
  const container = useContext(OverlayContainer);
  return (
    <Popover.Root open={open} onOpenChange={onOpen}>
      <Popover.Trigger asChild>
        <IconButton label={label} icon={<CalendarDays size={14} aria-hidden />} />
      </Popover.Trigger>
      <Popover.Portal container={container}>
        <Popover.Content
          aria-label={label}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          // Keys without a modifier are the calendar's, not the screen's.
          onKeyDown={(event) => {
            if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
          }}
          className="z-50 animate-appear rounded-field bg-surface-1 shadow-overlay"
        >
          <Suspense fallback={<div className="h-72 w-60" />}>
            <Calendar {...calendar} />
          </Suspense>
          <div className="flex items-center gap-2 border-t border-line p-2">{children}</div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
