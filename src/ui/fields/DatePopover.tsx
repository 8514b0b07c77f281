import { CalendarDays } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useContext, type ReactNode } from 'react';

import { IconButton } from '#src/ui/IconButton.tsx';
import { lazyPart } from '#src/ui/lazy-part.tsx';
import { OverlayContainer } from '#src/ui/overlay-container.ts';

import type { CalendarProps } from './Calendar.tsx';

/** Loaded on first use, since few people pick a date. */
const Calendar = lazyPart<CalendarProps>(async () => (await import('./Calendar.tsx')).Calendar, {
  Pending: () => <div className="h-72 w-60" />,
});

interface DatePopoverProps {
  /** Accessible name of the button and the popover. */
  readonly label: string;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly calendar: CalendarProps;
  /** Shown below the calendar. */
  readonly children: ReactNode;
}

/** A button that opens a calendar. Escape closes it and returns focus. */
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
          // Keys without a modifier belong to the calendar, not the screen.
          onKeyDown={(event) => {
            if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
          }}
          className="z-50 animate-appear rounded-field bg-surface-1 shadow-overlay"
        >
          <Calendar {...calendar} />
          <div className="flex items-center gap-2 border-t border-line p-2">{children}</div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
