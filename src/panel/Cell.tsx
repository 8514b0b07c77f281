import type { CellKind, Level, TagLabel } from '#commands/model/column.ts';
import { isColor } from '#commands/text/color.ts';
import type { Message } from '#commands/text/message.ts';
import type { Precision } from '#commands/text/moment.ts';
import { useMoment, useTranslate } from '#src/i18n/i18n.ts';
import { cx } from '#src/ui/cx.ts';
import { HealthMark, type HealthLevel } from '#src/ui/HealthMark.tsx';
import { Mono } from '#src/ui/Mono.tsx';
import { RelativeTime } from '#src/ui/RelativeTime.tsx';
import { Swatch } from '#src/ui/Swatch.tsx';
import { TagChips } from '#src/ui/TagChips.tsx';
import { tip } from '#src/ui/tip.ts';

export const LEVEL_MARKS: Readonly<Record<Level, HealthLevel | undefined>> = {
  ok: 'OK',
  warning: 'WARNING',
  error: 'ERROR',
  none: undefined,
};

const LEVEL_TEXT: Readonly<Record<Level, string>> = {
  ok: 'text-ok-text',
  warning: 'text-warning-text',
  error: 'text-error-text',
  none: '',
};

interface CellProps {
  readonly kind: CellKind;
  readonly value: string | Message | undefined;
  readonly level?: Level;
  readonly tags?: readonly TagLabel[];
  readonly time?: number | undefined;
}

/** Renders a value outside the table according to its kind. Text is never interpreted as markup. */
export function Cell({ kind, value, level, tags, time }: CellProps) {
  const translate = useTranslate();
  const moment = useMoment();
  const text = typeof value === 'object' ? translate(value) : (value ?? '');
  const timeElement = (precision: Precision): React.ReactNode => {
    if (time === undefined) return text;
    const iso = new Date(time).toISOString();
    return (
      <time
        className={cx('type-mono', level && LEVEL_TEXT[level])}
        dateTime={precision === 'day' ? iso.slice(0, 10) : iso}
      >
        {moment(time, precision)}
      </time>
    );
  };
  const render: Readonly<Record<CellKind, () => React.ReactNode>> = {
    text: () => <span className="break-words whitespace-pre-wrap">{text}</span>,
    mono: () => <Mono className="break-all">{text}</Mono>,
    // Without its code, which takes the room of a text next to it.
    color: () =>
      isColor(text) ? (
        <span {...tip(text)} className="inline-flex">
          <Swatch color={text} />
          <span className="sr-only">{text}</span>
        </span>
      ) : (
        <Mono className="break-all">{text}</Mono>
      ),
    value: () => <span className="type-mono tabular-nums">{text}</span>,
    number: () => <span className="type-mono tabular-nums">{text}</span>,
    age: () => (time === undefined ? text : <RelativeTime time={time} exactTime={moment(time)} />),
    time: () => timeElement('time'),
    day: () => timeElement('day'),
    health: () => {
      const mark = level && LEVEL_MARKS[level];
      return (
        <span className={cx('inline-flex items-center gap-1.5', level && LEVEL_TEXT[level])}>
          {mark && <HealthMark level={mark} />}
          {text}
        </span>
      );
    },
    tags: () => <TagChips names={(tags ?? []).map((tag) => tag.name)} />,
    status: () => <span className={level && LEVEL_TEXT[level]}>{text}</span>,
  };
  return <>{render[kind]()}</>;
}
