import type { CellKind, Column as DeclaredColumn, Level } from '#commands/model/column.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { entityLabels } from '#commands/model/entity.ts';
import type { Message } from '#commands/text/message.ts';
import type { WriteMoment } from '#commands/text/moment.ts';
import { LEVEL_MARKS } from '#src/panel/Cell.tsx';
import type { Column, DrawnColumn, TextColumn } from '#src/table/columns.ts';
import { drawAge, drawHealth, drawTags, drawValue } from '#src/table/drawn-cells.ts';

interface Formatters {
  readonly translate: (message: Message) => string;
  readonly moment: WriteMoment;
  readonly levelName: (level: Level) => string;
}

const TONES: Readonly<Partial<Record<CellKind, Column<unknown>['tone']>>> = {
  mono: 'code',
  number: 'code',
  age: 'quiet',
  time: 'quiet',
  day: 'quiet',
};
/** A time in each month. Month names differ in width. */
const SAMPLE_TIMES = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 28, 12));
const RIGHT_ALIGNED: readonly CellKind[] = ['number', 'age', 'value'];

/**
 * Returns the ids of the columns to show: the default ones and those that the user has shown, without those that the
 * user has hidden. `filterKeys` are the keys of the filter.
 */
export function shownColumns(
  { columns }: Pick<AnyEntity, 'columns'>,
  choices: Readonly<Record<string, boolean>>,
  filterKeys: readonly string[],
): readonly string[] {
  return columns
    .filter(({ id, optional, when }) => (!when || filterKeys.includes(when)) && (choices[id] ?? !optional))
    .map(({ id }) => id);
}

/** Returns an entity's table columns. The health mark comes first, and has no visible title. */
export function tableColumns(entity: AnyEntity, formatters: Formatters): readonly Column<unknown>[] {
  const { translate, moment } = formatters;
  const comfortableSamplesByKind: Readonly<Partial<Record<CellKind, readonly string[]>>> = {
    time: SAMPLE_TIMES.map((time) => moment(time)),
    day: SAMPLE_TIMES.map((time) => moment(time, 'day')),
  };
  // The mark and the first text column, which identify a row, stay visible during horizontal scrolling.
  const firstTextIndex = entity.columns.findIndex((column) => column.kind !== 'health');
  return entity.columns.map((column, index): Column<unknown> => {
    const tone = TONES[column.kind];
    const comfortableSamples = comfortableSamplesByKind[column.kind];
    return {
      id: column.id,
      title: translate(entityLabels.column(entity, column)),
      min: column.width,
      ...(column.grow ? { grow: column.grow } : {}),
      ...(column.comfortableWidth ? { comfortableWidth: column.comfortableWidth } : {}),
      ...(comfortableSamples ? { comfortableSamples } : {}),
      ...(index <= firstTextIndex ? { frozen: true } : {}),
      ...(column.kind === 'health' ? { hideTitle: true } : {}),
      ...(RIGHT_ALIGNED.includes(column.kind) ? { align: 'end' as const } : {}),
      ...(tone ? { tone } : {}),
      ...(column.sort ? { sortable: true } : {}),
      ...(column.possibleValues ? { fits: column.possibleValues.map(translate) } : {}),
      ...cellContent(column, formatters),
    };
  });
}

type CellContent = Pick<TextColumn<unknown>, 'text'> | Pick<DrawnColumn<unknown>, 'draw'>;

function cellContent(column: DeclaredColumn<unknown>, { translate, moment, levelName }: Formatters): CellContent {
  const text = (row: unknown): string => {
    const value = column.value(row);
    return typeof value === 'object' ? translate(value) : (value ?? '');
  };
  const contents: Readonly<Record<CellKind, CellContent>> = {
    text: { text },
    mono: { text },
    color: { text },
    number: { text },
    status: { text },
    age: {
      draw: drawAge((row) => {
        const time = column.time?.(row);
        return time === undefined ? text(row) : { at: time, exact: moment(time) };
      }),
    },
    time: {
      text: (row) => {
        const time = column.time?.(row);
        return time === undefined ? text(row) : moment(time);
      },
    },
    day: {
      text: (row) => {
        const time = column.time?.(row);
        return time === undefined ? text(row) : moment(time, 'day');
      },
    },
    value: {
      draw: drawValue((row) => {
        const time = column.time?.(row);
        const [whole, unit = ''] = [text(row), column.unit?.(row)];
        return time === undefined
          ? undefined
          : {
              text: unit === '' ? whole : whole.slice(0, -unit.length).trimEnd(),
              unit,
              at: time,
              exact: moment(time),
              oldAfter: column.oldAfter?.(row) ?? Infinity,
            };
      }),
    },
    health: {
      draw: drawHealth((row) => {
        const level = column.level?.(row) ?? 'none';
        const mark = LEVEL_MARKS[level];
        return mark && { level: mark, label: text(row) || levelName(level) };
      }),
    },
    tags: { draw: drawTags((row) => (column.tags?.(row) ?? []).map((tag) => tag.name)) },
  };
  return contents[column.kind];
}
