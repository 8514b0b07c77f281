import { styleText } from 'node:util';

import stringWidth from 'string-width';

import { csvParts } from '#commands/kit/csv-table.ts';
import type { CurrentOrganization } from '#commands/model/actor.ts';
import type { CellKind, Column, Level } from '#commands/model/column.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import type { DetailLines, Listing, RowLines, RowStream } from '#commands/model/host.ts';
import {
  fieldLabel,
  isListChange,
  lineLabel,
  type Change,
  type FieldChanges,
  type Plan,
} from '#commands/model/plan.ts';
import { failedResults, type Outcome } from '#commands/model/result.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { distribution, hasRepeatedChanges } from '#commands/run/distribution.ts';
import { stagesNote } from '#commands/run/stages.ts';
import { formatAge } from '#commands/text/age.ts';
import { isEmailAddress } from '#commands/text/email.ts';
import type { Message, Translate } from '#commands/text/message.ts';
import { momentFormatter, type WriteMoment } from '#commands/text/moment.ts';

import type { Io } from './io.ts';
import {
  columnsThatFit,
  formatNextRows,
  formatTable,
  plainLines,
  plainText,
  wrapLines,
  type Cell,
  type TableColumn,
} from './table.ts';

/** Maximum number of changes to print for a plan. The others are only counted. */
const MAX_CHANGES = 20;
/** The minimum width of a value next to its label, even in a narrow terminal. */
const MIN_WIDTH = 20;

const COLORS = { ok: 'green', warning: 'yellow', error: 'red', none: undefined } as const satisfies Record<
  Level,
  string | undefined
>;

type Color = NonNullable<(typeof COLORS)[Level]>;

/** The minimum width of a truncated cell, by kind. Part of a URL needs more letters than part of a status. */
const MIN_CELL_WIDTHS: Readonly<Record<CellKind, number>> = {
  text: 12,
  tags: 12,
  mono: 20,
  color: 7,
  status: 10,
  // These are short, and useless if truncated.
  number: Infinity,
  value: Infinity,
  age: Infinity,
  time: Infinity,
  day: Infinity,
  health: Infinity,
};
/** The values in a plan get more room because the user confirms them. */
const MIN_CHANGE_WIDTH = 24;

type FormattedValue = Pick<Column<unknown>, 'kind' | 'value' | 'time'>;

/** The failure that ended a run: a stable code, a message, and the argument it concerns. */
export interface CliFailure {
  readonly code?: string;
  readonly message: string;
  readonly argument?: string;
}

/** Prints the output as text for people. On a terminal, uses colors unless NO_COLOR is set. */
export class Printer {
  readonly translate: Translate;
  /** The language for formatting times. */
  readonly language: string;
  private readonly io: Io;
  private readonly registry: Registry;
  private readonly failureReports: CliFailure[] = [];

  constructor(io: Io, registry: Registry, translate: Translate, language = 'en') {
    this.io = io;
    this.registry = registry;
    // Messages can contain user-chosen names.
    this.translate = (message) => plainLines(translate(message));
    this.language = language;
  }

  /** The width of the terminal, if the output is one. */
  get columns(): number | undefined {
    return this.io.columns;
  }

  error(message: Message | string): void {
    this.io.err(`${typeof message === 'string' ? plainLines(message) : this.translate(message)}\n`);
  }

  /** Reports the failure that ends the run, and records it for `--json`. `mark` shows its position in the line. */
  fail(
    message: Message,
    { code, argument, mark }: Omit<CliFailure, 'message'> & { readonly mark?: string } = {},
  ): void {
    this.error(`${mark ?? (argument === undefined ? '' : `${argument}: `)}${this.translate(message)}`);
    this.failureReports.push({
      message: this.translate(message),
      ...(code ? { code } : {}),
      ...(argument ? { argument } : {}),
    });
  }

  /** The failures reported by {@link fail}. There are several if a line has several problems. */
  get reportedFailures(): readonly CliFailure[] {
    return this.failureReports;
  }

  note(message: Message): void {
    this.io.err(`${this.translate(message)}\n`);
  }

  list(
    { entity: name, items, total, staffOnly, detail, columns: ids }: Listing,
    moment: WriteMoment = momentFormatter(),
  ): void {
    const entity = this.registry.entity(name);
    if (!entity) throw new RangeError(`Unknown entity "${name}".`);
    if (detail && items.length === 1) return this.record(entity, items[0], moment);
    // Compare the printed strings, because equal messages are different objects.
    const differs = (value: Column<unknown>['value']) => new Set(items.map((item) => this.text(value(item)))).size > 1;
    const columns = ids
      ? ids.flatMap((id) => entity.columns.find((column) => column.id === id) ?? [])
      : entity.columns.filter(({ optional, when, value }) => !optional && (!when || differs(value)));
    if (items.length > 0) this.items(entity, columns, items, moment);
    if (items.length < total || items.length === 0) {
      const values = { shown: items.length, count: total, entity: entityLabels.many(entity) };
      this.note({ key: 'core:cli.shown', values });
    }
    if (staffOnly) this.note(entityLabels.staffOnly(staffOnly));
  }

  /** Prints one row per item. On a terminal, shows the columns that fit and lists the others. */
  private items(
    entity: AnyEntity,
    declaredColumns: readonly Column<unknown>[],
    items: readonly unknown[],
    moment: WriteMoment,
  ): void {
    const columns = declaredColumns.map((column): TableColumn => ({
      head: this.translate(entityLabels.column(entity, column)),
      alignRight: column.kind === 'number' || column.kind === 'value',
      identifying: this.identifiesItems(entity, column, items),
      minWidth: MIN_CELL_WIDTHS[column.kind],
    }));
    const rows = items.map((item) => declaredColumns.map((column) => this.cell(column, item, moment)));
    const indexes = columns.map((_, index) => index);
    const shownIndexes = this.io.columns === undefined ? indexes : columnsThatFit(columns, rows, this.io.columns);
    const pick = <T>(cells: readonly T[]): readonly T[] => cells.filter((_, index) => shownIndexes.includes(index));
    this.io.out(formatTable(pick(columns), rows.map(pick), this.io.columns));
    const omittedHeads = columns.filter((_, index) => !shownIndexes.includes(index)).map(({ head }) => head);
    if (omittedHeads.length > 0) this.note({ key: 'core:cli.noRoom', values: { columns: omittedHeads.join(', ') } });
  }

  /** True if a column identifies items, by their label, id, or email address. */
  private identifiesItems(entity: AnyEntity, { value }: Column<unknown>, items: readonly unknown[]): boolean {
    const cells = items.map((item) => this.text(value(item)));
    const names = (item: unknown) =>
      [entity.label(item), entity.id(item), `#${entity.id(item)}`, entity.shortLabel?.(item)].map((name) =>
        this.text(name),
      );
    const identifies = (text: string, index: number) => isEmailAddress(text) || names(items[index]).includes(text);
    return cells.some(Boolean) && cells.every((text, index) => text === '' || identifies(text, index));
  }

  /** Prints rows that aren't items of an entity, without headings. */
  rows({ columns: declaredColumns, rows, note }: RowLines, moment: WriteMoment = momentFormatter()): void {
    if (rows.length === 0) return this.note(note ?? { key: 'core:cli.nothing' });
    const columns = declaredColumns as readonly Column<unknown>[];
    const cells = rows.map((row) => columns.map((column) => this.cell(column, row, moment)));
    this.io.out(
      formatTable(
        columns.map(({ kind }) => ({ head: '', alignRight: kind === 'number' })),
        cells,
      ),
    );
    if (note) this.note(note);
  }

  /** Prints rows as they load, as a table or CSV. The first rows determine the column widths of the table. */
  async stream(stream: RowStream, moment: WriteMoment = momentFormatter()): Promise<void> {
    if (stream.csv) return this.csv(stream);
    const { columns, batches } = stream;
    const cells = columns as readonly Column<unknown>[];
    const tableColumns = columns.map(({ head, kind }): TableColumn => ({
      head: this.translate(head),
      alignRight: kind === 'number',
      minWidth: MIN_CELL_WIDTHS[kind],
    }));
    let widths: readonly number[] | undefined;
    for await (const rows of batches) {
      const table = rows.map((row) => cells.map((column) => this.cell(column, row, moment)));
      const printedRows = formatNextRows(tableColumns, table, this.io.columns, widths);
      widths = printedRows.widths;
      this.io.out(printedRows.text);
    }
    if (widths === undefined) this.note({ key: 'core:cli.nothing' });
    return undefined;
  }

  /** Prints rows as CSV. A text keeps all of its characters, unless they would reach a terminal. */
  private async csv(stream: RowStream): Promise<void> {
    const clean = this.io.columns === undefined ? {} : { clean: plainLines };
    for await (const part of csvParts(stream, { translate: this.translate, ...clean })) this.io.out(part);
  }

  private record(entity: AnyEntity, item: unknown, moment: WriteMoment): void {
    const details = entity.details?.map((detail) => ({ ...detail, head: entityLabels.detail(entity, detail.id) }));
    // The panel shows the values of these columns in its title and tabs, which a terminal doesn't have.
    const columns = entity.columns
      .filter(({ optional }) => !optional)
      .filter(({ id, when }) => !details || (!when && details.every((detail) => detail.id !== id)))
      .map((column) => ({ ...column, head: entityLabels.column(entity, column) }));
    this.details(
      [...(details ?? []), ...columns].map(({ head, kind, value, time }) => ({
        head,
        kind,
        value: value(item),
        time: time?.(item),
      })),
      moment,
    );
  }

  details(lines: DetailLines['lines'], moment: WriteMoment = momentFormatter()): void {
    this.lines(
      lines.flatMap(({ head, kind, value, time }) => {
        const text = this.detailText(kind, value, time, moment);
        return text ? [[this.translate(head), text] as const] : [];
      }),
    );
  }

  private lines(lines: readonly (readonly [head: string, value: string])[]): void {
    const width = Math.max(0, ...lines.map(([name]) => stringWidth(name))) + 2;
    const room = Math.max((this.io.columns ?? Infinity) - width, MIN_WIDTH);
    for (const [name, value] of lines) {
      // Keep the lines of a multiline note.
      const plainValue = value.split('\n').map(plainText).join('\n');
      const [first = '', ...others] = wrapLines(plainValue, room);
      this.io.out(`${name}${' '.repeat(width - stringWidth(name))}${first}\n`);
      for (const line of others) this.io.out(`${' '.repeat(width)}${line}\n`);
    }
  }

  private cell(column: Column<unknown>, item: unknown, moment: WriteMoment): Cell {
    const text = this.cellText(column, item, moment);
    const color = column.level && COLORS[column.level(item)];
    return color === undefined ? { text } : { text, paint: (visibleText) => this.paint(visibleText, color) };
  }

  /** Formats ages and times like the console. Prints other values as the entity returns them. */
  private cellText({ kind, value, time: timeOf }: FormattedValue, item: unknown, moment: WriteMoment): string {
    const time = timeOf?.(item);
    if (time === undefined) return this.text(value(item));
    if (kind === 'age') return formatAge(Date.now() - time);
    return kind === 'time' || kind === 'day' ? moment(time, kind) : this.text(value(item));
  }

  /** Formats a value like a cell, but adds the time to an age. The console shows that time on hover. */
  private detailText(
    kind: CellKind,
    value: string | Message | undefined,
    time: number | undefined,
    moment: WriteMoment,
  ): string {
    const text = this.cellText({ kind, value: () => value, time: () => time }, undefined, moment);
    return kind === 'age' && time !== undefined ? `${text} (${moment(time)})` : text;
  }

  private paint(text: string, color: Color): string {
    if (this.io.columns === undefined || this.io.env['NO_COLOR']) return text;
    return styleText(color, text, { validateStream: false });
  }

  private text(value: string | Message | undefined): string {
    return typeof value === 'object' ? this.translate(value) : plainLines(value ?? '');
  }

  /** Prints a plan with `write`. Names the organization and warns if it isn't the user's own. */
  plan(plan: Plan, organization: CurrentOrganization, write: (text: string) => void): void {
    write(`${this.translate(plan.summary)}${plan.personal ? '' : ` ${this.organizationText(organization)}`}\n`);
    const fields = distribution(plan.changes);
    // Print counts for many similar changes. Otherwise, print the first changes.
    const isGrouped = plan.changes.length > MAX_CHANGES && hasRepeatedChanges(fields);
    for (const field of isGrouped ? fields : []) write(`${this.fieldChanges(field)}\n`);
    const changes = isGrouped ? [] : plan.changes.slice(0, MAX_CHANGES);
    const emptyText = this.translate({ key: 'core:cli.plan.empty' });
    const columns = ['item', 'field', 'before', 'after'].map((id) => ({
      head: this.translate({ key: `core:cli.plan.${id}` }),
      identifying: id === 'item',
      minWidth: MIN_CHANGE_WIDTH,
    }));
    const rows = changes.flatMap((change) =>
      this.rowsOf(change).map(([field, before, after]) =>
        [change.label, field, before || emptyText, after || emptyText].map((text) => ({ text })),
      ),
    );
    if (rows.length > 0) write(formatTable(columns, rows, this.io.columns));
    const omittedCount = isGrouped ? 0 : plan.changes.length - changes.length;
    if (omittedCount > 0) write(`${this.translate({ key: 'core:cli.plan.more', values: { count: omittedCount } })}\n`);
    for (const note of plan.notes ?? []) write(`${this.translate(note)}\n`);
    if (plan.staged) write(`${this.translate(stagesNote())}\n`);
    if (plan.sample !== undefined) write(`${plainLines(plan.sample)}\n`);
    write(`${this.translate({ key: plan.reversible ? 'core:cli.plan.reversible' : 'core:cli.plan.irreversible' })}\n`);
  }

  private organizationText({ name, id, awayFromHome }: CurrentOrganization): string {
    return this.translate({ key: awayFromHome ? 'core:cli.plan.acting' : 'core:cli.plan.in', values: { name, id } });
  }

  /** Returns the field of a change and its two sides; for a text, once for each line. */
  private rowsOf(change: Change): readonly (readonly [field: string, before: string, after: string])[] {
    const field = this.translate(fieldLabel(change.field));
    if (!change.lines) return [[field, ...this.sides(change)]];
    const { shown, moreCount } = change.lines;
    const more =
      moreCount > 0 ? this.translate({ key: 'core:cli.plan.more', values: { count: moreCount } }) : undefined;
    return [
      ...shown.map((line) => [`${field}, ${this.text(lineLabel(line))}`, line.before ?? '', line.after ?? ''] as const),
      ...(more === undefined ? [] : ([[`${field}, ${more}`, '', '']] as const)),
    ];
  }

  /** Returns the two sides of a change: before and after, or removed and added. */
  private sides({ before, after, added, removed }: Change): readonly [string, string] {
    if (!added && !removed) return [this.text(before), this.text(after)];
    const withSign = (sign: string, names: Change['added']) =>
      (names ?? []).map((name) => `${sign} ${this.text(name)}`);
    return [withSign('−', removed).join(', '), withSign('+', added).join(', ')];
  }

  /** Formats the changes of one field, as in `Lifecycle: 23,100 Installed → Paused · 969 Spare → Paused`. */
  private fieldChanges({ field, groups }: FieldChanges): string {
    const emptyText = this.translate({ key: 'core:cli.plan.empty' });
    const parts = groups.slice(0, MAX_CHANGES).map(({ change, count }) => {
      const [before, after] = this.sides(change);
      const values = isListChange(change)
        ? [before, after].filter(Boolean).join(' ')
        : `${before || emptyText} → ${after || emptyText}`;
      return `${this.translate({ key: 'core:count', values: { count } })} ${values}`;
    });
    const omittedCount = groups.slice(MAX_CHANGES).reduce((sum, { count }) => sum + count, 0);
    const more =
      omittedCount > 0 ? [this.translate({ key: 'core:cli.plan.more', values: { count: omittedCount } })] : [];
    return `${this.translate(fieldLabel(field))}: ${[...parts, ...more].join(' · ')}`;
  }

  /** Prints the failed items and counts the skipped ones. */
  failures(outcome: Outcome): void {
    const failures = failedResults(outcome);
    if (failures.length > 0) {
      const columns = ['item', 'id', 'reason'].map((id) => ({
        head: this.translate({ key: `core:cli.failed.${id}` }),
      }));
      const rows = failures.map(({ label, id, failure }) =>
        [label, id, failure ? this.translate(failure.message) : ''].map((text) => ({ text })),
      );
      // Never truncated because users need the full reasons.
      this.io.err(formatTable(columns, rows));
    }
    const skippedCount = (outcome.results ?? []).filter((result) => result.skipped).length;
    if (skippedCount > 0) this.note({ key: 'core:cli.skipped', values: { count: skippedCount } });
  }
}
