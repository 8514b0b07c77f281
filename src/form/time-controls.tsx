import { useState } from 'react';

import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import type { Param } from '#commands/model/kinds.ts';
import { toSpan } from '#commands/model/time.ts';
import { checkValue } from '#commands/run/values.ts';
import { firstDay } from '#commands/session/preferences.ts';
import { useLanguage, useText } from '#src/i18n/i18n.ts';
import { Button } from '#src/ui/Button.tsx';
import type { CalendarProps, Day } from '#src/ui/fields/Calendar.tsx';
import { DatePopover } from '#src/ui/fields/DatePopover.tsx';
import { TextInput } from '#src/ui/fields/TextInput.tsx';

import type { ControlProps } from './control.ts';
import { useTypedText } from './typed-controls.tsx';

// Controls for times and periods, typed or picked from a calendar. Days are in UTC, like bare dates.

/** Matches the time of day in a value, such as `20:00` in `2026-01-31 20:00`. */
const CLOCK = /^\d{4}-\d{2}-\d{2} (\d{2}:\d{2})/;

const dayAt = (ms: number): Day => new Date(ms).toISOString().slice(0, 10);

type SharedCalendarProps = Pick<CalendarProps, 'today' | 'weekStartsOn' | 'language' | 'isDisabled' | 'labels'>;

/** Returns the common props of both calendars. Days that would be refused cannot be picked. */
function useCalendar(param: Param, context: Context, asValue: (day: Day) => ArgValue): SharedCalendarProps {
  const t = useText();
  const language = useLanguage();
  return {
    today: dayAt(context.now().getTime()),
    weekStartsOn: firstDay(context.preferences) === 'SUNDAY' ? 0 : 1,
    language,
    isDisabled: (day) => checkValue(param, asValue(day), context) !== undefined,
    labels: { previous: t('calendar.previous'), next: t('calendar.next') },
  };
}

/** A control for a time. Picking a day sets it and closes the calendar. */
export function TimeControl(props: ControlProps<'time'>) {
  const { param, value, context } = props;
  const t = useText();
  const { typed, type, placeholder } = useTypedText(props);
  const [open, setOpen] = useState(false);
  const calendar = useCalendar(param, context, (day) => day);
  const clock = CLOCK.exec(value ?? '')?.[1];
  const day = value === undefined ? undefined : dayAt(toSpan(value, context.now(), firstDay(context.preferences)).from);
  const pick = (next: string): void => {
    type(next);
    setOpen(false);
  };
  const label = t('calendar.open');
  return (
    <div className="flex items-center gap-1">
      <TextInput mono value={typed} placeholder={placeholder} onText={type} />
      <DatePopover
        label={label}
        open={open}
        onOpen={setOpen}
        calendar={{
          ...calendar,
          label,
          single: true,
          selectedRange: day === undefined ? undefined : { from: day },
          onDay: (pickedDay) => pick(clock ? `${pickedDay} ${clock}` : pickedDay),
        }}
      >
        <label className="flex flex-1 items-center gap-2 text-label text-ink-2">
          {t('calendar.time')}
          <input
            type="time"
            value={clock ?? ''}
            onChange={({ target }) => {
              const date = day ?? calendar.today;
              type(target.value ? `${date} ${target.value}` : date);
            }}
            className="h-7 rounded-field border border-line-field bg-surface-0 px-1.5 text-ink-1"
          />
        </label>
        <Button tone="quiet" onClick={() => pick('')}>
          {t('calendar.clear')}
        </Button>
      </DatePopover>
    </div>
  );
}

/** A control for a period, from its first to its last day. With `partial`, a single day is enough. */
export function RangeControl(props: ControlProps<'range'>) {
  const { param, value, context } = props;
  const t = useText();
  const { typed, type, placeholder } = useTypedText(props);
  const [open, setOpen] = useState(false);
  /** The first day, until the last day is picked. */
  const [first, setFirst] = useState<Day>();
  const calendar = useCalendar(param, context, (day) => ({ start: day, end: day }));
  const close = (next: string): void => {
    type(next);
    setFirst(undefined);
    setOpen(false);
  };
  const onDay = (day: Day): void => {
    if (first === undefined) {
      setFirst(day);
      if (param.partial) type(day);
    } else if (day === first) close(day);
    else close(day < first ? `${day}..${first}` : `${first}..${day}`);
  };
  const onOpen = (isOpen: boolean): void => {
    if (isOpen) return setOpen(true);
    // If the calendar closes halfway, the period is incomplete, and the field reports it.
    return first === undefined || param.partial ? close(typed) : close(`${first}..`);
  };
  const label = t('calendar.openRange');
  const selectedRange = first === undefined ? value && daysOf(value, context) : { from: first };
  return (
    <div className="flex items-center gap-1">
      <TextInput mono value={typed} placeholder={placeholder} onText={type} />
      <DatePopover label={label} open={open} onOpen={onOpen} calendar={{ ...calendar, label, selectedRange, onDay }}>
        <span className="flex-1 text-label text-ink-2" aria-live="polite">
          {t(first === undefined ? 'calendar.first' : 'calendar.last')}
        </span>
        <Button tone="quiet" onClick={() => close('')}>
          {t('calendar.clear')}
        </Button>
      </DatePopover>
    </div>
  );
}

/** Returns the first and last day of a period. */
function daysOf({ start, end }: { readonly start: string; readonly end: string }, { now, preferences }: Context) {
  const [current, weekStart] = [now(), firstDay(preferences)];
  const { to } = toSpan(end, current, weekStart);
  const { from } = toSpan(start, current, weekStart, /^[-+]/.test(start) ? to : undefined);
  return { from: dayAt(from), to: dayAt(to) };
}
