import { ChevronLeft, ChevronRight } from 'lucide-react';
import { DayPicker, type ClassNames } from 'react-day-picker';
import { enGB } from 'react-day-picker/locale/en-GB';
import { nl } from 'react-day-picker/locale/nl';

/** A day in ISO format: `2026-01-31`. */
export type Day = string;

export interface CalendarProps {
  readonly label: string;
  /** The selected range, both days inclusive. `to` is missing until it is picked. */
  readonly selectedRange: { readonly from: Day; readonly to?: Day } | undefined;
  /** Selects a single day instead of a range. */
  readonly single?: boolean;
  readonly onDay: (day: Day) => void;
  readonly isDisabled: (day: Day) => boolean;
  readonly today: Day;
  readonly weekStartsOn: 0 | 1;
  readonly language: string;
  readonly labels: { readonly previous: string; readonly next: string };
}

const LOCALES: Readonly<Record<string, typeof enGB>> = { en: enGB, nl };

const STEP_BUTTON = 'inline-flex size-7 items-center justify-center rounded-field text-ink-2 hover:bg-surface-3';

const CLASSES: Partial<ClassNames> = {
  root: 'relative p-2 text-body text-ink-1',
  nav: 'absolute inset-x-2 top-2 flex justify-between',
  button_previous: STEP_BUTTON,
  button_next: STEP_BUTTON,
  month_caption: 'flex h-7 items-center justify-center font-medium',
  month_grid: 'mt-1 border-collapse',
  weekday: 'size-8 text-label font-normal text-ink-3',
  day: 'p-0 text-center',
  day_button: 'size-8 rounded-field tabular-nums hover:bg-surface-3 disabled:hover:bg-transparent',
  today: '[&>button]:font-semibold [&>button]:underline [&>button]:underline-offset-4',
  selected: '[&>button]:bg-accent [&>button]:text-on-accent',
  range_middle: '[&>button]:rounded-none [&>button]:bg-surface-3! [&>button]:text-ink-1!',
  disabled: '[&>button]:text-ink-3 [&>button]:line-through',
  hidden: 'invisible',
};

/**
 * A month to pick a day from. Arrow keys move by days and weeks, Page Up and Page Down by months, with Shift by years.
 */
export function Calendar({
  label,
  selectedRange,
  single = false,
  onDay,
  isDisabled,
  today,
  weekStartsOn,
  language,
  labels,
}: CalendarProps) {
  const from = selectedRange && toDate(selectedRange.from);
  const sharedProps = {
    autoFocus: true,
    'aria-label': label,
    locale: LOCALES[language] ?? enGB,
    weekStartsOn,
    today: toDate(today),
    defaultMonth: from ?? toDate(today),
    disabled: (date: Date) => isDisabled(toDay(date)),
    classNames: CLASSES,
    labels: { labelPrevious: () => labels.previous, labelNext: () => labels.next },
    components: { Chevron: Arrow },
  };
  if (single)
    return <DayPicker {...sharedProps} mode="single" selected={from} onSelect={(_, date) => onDay(toDay(date))} />;
  const to = selectedRange?.to === undefined ? undefined : toDate(selectedRange.to);
  return <DayPicker {...sharedProps} mode="range" selected={{ from, to }} onSelect={(_, date) => onDay(toDay(date))} />;
}

function Arrow({ orientation }: { readonly orientation?: string | undefined }) {
  return orientation === 'left' ? <ChevronLeft size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />;
}

/** Returns local midnight on a day. The calendar shows plain days without a time zone. */
function toDate(day: Day): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const midnight = new Date(2000, 0, 1);
  // The constructor would read the years from 0 to 99 as those of the last century.
  midnight.setFullYear(year, month - 1, date);
  return midnight;
}

function toDay(date: Date): Day {
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
