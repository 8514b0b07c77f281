import type { ActingOrganization } from '#commands/model/actor.ts';
import { distribution, isCommon } from '#commands/run/distribution.ts';
import type { CellKind, Column, Level } from '#commands/model/column.ts';
import { entityTexts, type AnyEntity } from '#commands/model/entity.ts';
import type { DetailLines, Listing, RowLines } from '#commands/model/host.ts';
import type { Message, Translate } from '#commands/text/message.ts';
import { momentWriter, type WriteMoment } from '#commands/text/moment.ts';
import { isListChange, type Change, type FieldChanges, type Plan } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { failed, type Outcome } from '#commands/model/result.ts';
import { formatAge } from '#commands/text/age.ts';
import { isEmailAddress } from '#commands/text/email.ts';
import type { Io } from './io.ts';
import {
  columnsThatFit,
  displayWidth,
  plainLines,
  plainText,
  table,
  wrapped,
  type Cell,
  type TableColumn,
} from './table.ts';

/** Changes of a plan that are shown; the rest are counted. */
const SHOWN_CHANGES = 20;
/** Columns that a value gets beside its label, however narrow the terminal. */
const NARROWEST = 20;

const COLOURS: Readonly<Record<Level, number | undefined>> = { ok: 32, warning: 33, error: 31, none: undefined };

/** What a table keeps of a longer text at least: a name says less in eight letters than an address does in twenty. */
const LEAST: Readonly<Record<CellKind, number>> = {
  text: 12,
  tags: 12,
  mono: 20,
  status: 10,
  // These are short, and say nothing when they are cut.
  number: Infinity,
  age: Infinity,
  time: Infinity,
  day: Infinity,
  health: Infinity,
};
/** A value of a plan is worth more room: it is what the person agrees to. */
const LEAST_OF_CHANGE = 24;

type Shown = Pick<Column<unknown>, 'kind' | 'value' | 'at'>;

/** Why a run ended: a stable code, a sentence, and the argument it is about. */
export interface CliFailure {
  readonly code?: string;
  readonly message: string;
  readonly argument?: string;
}

/** What the command line says, as text for people. Colours only on a terminal, and not with NO_COLOR. */
export class Printer {
  readonly say: Translate;
  /** In which moments are written. */
  readonly language: string;
  private readonly io: Io;
  private readonly registry: Registry;
  private readonly reported: CliFailure[] = [];

  constructor(io: Io, registry: Registry, say: Translate, language = 'en') {
    this.io = io;
    this.registry = registry;
    // Sentences name what people have named.
    this.say = (message) => plainLines(say(message));
    this.language = language;
  }

  error(message: Message | string): void {
    this.io.err(`${typeof message === 'string' ? plainLines(message) : this.say(message)}\n`);
  }

  /** Says why the run ends here, and keeps it for `--json`. `mark` shows where in the line. */
  fail(text: Message, { code, argument, mark }: Omit<CliFailure, 'message'> & { readonly mark?: string } = {}): void {
    this.error(`${mark ?? (argument === undefined ? '' : `${argument}: `)}${this.say(text)}`);
    this.reported.push({ message: this.say(text), ...(code ? { code } : {}), ...(argument ? { argument } : {}) });
  }

  /** Why the run ended, if {@link fail} said so; several where a line is wrong in several places. */
  get failed(): readonly CliFailure[] {
    return this.reported;
  }

  note(message: Message): void {
    this.io.err(`${this.say(message)}\n`);
  }

  list({ entity: name, items, total, staffOnly, detail }: Listing, moment: WriteMoment = momentWriter()): void {
    const of = this.registry.entity(name);
    if (!of) throw new RangeError(`no entity '${name}'`);
    if (detail && items.length === 1) return this.record(of, items[0], moment);
    // By their texts: two messages that say the same are two objects.
    const differs = (value: Column<unknown>['value']) => new Set(items.map((item) => this.text(value(item)))).size > 1;
    const shown = of.columns.filter(({ when, value }) => !when || differs(value));
    if (items.length > 0) this.items(of, shown, items, moment);
    if (items.length < total || items.length === 0) {
      this.note({ key: 'core:cli.shown', values: { shown: items.length, count: total, entity: entityTexts.many(of) } });
    }
    if (staffOnly) this.note(entityTexts.staffOnly(staffOnly));
  }

  /** A row for each item. A terminal gets the columns that it has room for, and is told which ones it has not. */
  private items(
    entity: AnyEntity,
    shown: readonly Column<unknown>[],
    items: readonly unknown[],
    moment: WriteMoment,
  ): void {
    const columns = shown.map((column): TableColumn => ({
      head: this.say(entityTexts.column(entity, column.id)),
      right: column.kind === 'number',
      whole: this.isName(entity, column, items),
      least: LEAST[column.kind],
    }));
    const rows = items.map((item) => shown.map((column) => this.cell(column, item, moment)));
    const all = columns.map((_, index) => index);
    const kept = this.io.columns === undefined ? all : columnsThatFit(columns, rows, this.io.columns);
    const pick = <T>(item: readonly T[]): readonly T[] => item.filter((_, index) => kept.includes(index));
    this.io.out(table(pick(columns), rows.map(pick), this.io.columns));
    const left = columns.filter((_, index) => !kept.includes(index)).map(({ head }) => head);
    if (left.length > 0) this.note({ key: 'core:cli.noRoom', values: { columns: left.join(', ') } });
  }

  /** Whether a column tells items apart: it has what they are called, their id, or an address. */
  private isName(entity: AnyEntity, { value }: Column<unknown>, items: readonly unknown[]): boolean {
    const texts = items.map((item) => this.text(value(item)).replace(/^#/, ''));
    const names = (item: unknown) => [entity.label(item), entity.id(item), entity.short?.(item)];
    const isOne = (text: string, at: number) => isEmailAddress(text) || names(items[at]).includes(text);
    return texts.some(Boolean) && texts.every((text, index) => text === '' || isOne(text, index));
  }

  /** Rows that are no items of an entity, without headings. */
  rows({ columns, rows }: RowLines, moment: WriteMoment = momentWriter()): void {
    if (rows.length === 0) return this.note({ key: 'core:cli.nothing' });
    const shown = columns as readonly Column<unknown>[];
    const cells = rows.map((row) => shown.map((column) => this.cell(column, row, moment)));
    this.io.out(
      table(
        shown.map(({ kind }) => ({ head: '', right: kind === 'number' })),
        cells,
      ),
    );
  }

  private record(entity: AnyEntity, item: unknown, moment: WriteMoment): void {
    const details = entity.details?.map((detail) => ({ ...detail, head: entityTexts.detail(entity, detail.id) }));
    // The panel shows the rest in its title and its tabs, which a terminal does not have.
    const columns = entity.columns
      .filter(({ id, when }) => !details || (!when && details.every((detail) => detail.id !== id)))
      .map((column) => ({ ...column, head: entityTexts.column(entity, column.id) }));
    this.details(
      [...(details ?? []), ...columns].map(({ head, kind, value, at }) => ({
        head,
        kind,
        value: value(item),
        at: at?.(item),
      })),
      moment,
    );
  }

  details(lines: DetailLines['lines'], moment: WriteMoment = momentWriter()): void {
    this.lines(
      lines.flatMap(({ head, kind, value, at }) => {
        const text = this.detailText(kind, value, at, moment);
        return text ? [[this.say(head), text] as const] : [];
      }),
    );
  }

  private lines(lines: readonly (readonly [head: string, value: string])[]): void {
    const width = Math.max(0, ...lines.map(([name]) => displayWidth(name))) + 2;
    const room = Math.max((this.io.columns ?? Infinity) - width, NARROWEST);
    for (const [name, value] of lines) {
      // A note of several lines stays several lines, under one another.
      const [first = '', ...more] = value.split('\n').flatMap((line) => wrapped(plainText(line), room));
      this.io.out(`${name}${' '.repeat(width - displayWidth(name))}${first}\n`);
      for (const line of more) this.io.out(`${' '.repeat(width)}${line}\n`);
    }
  }

  private cell(column: Column<unknown>, item: unknown, moment: WriteMoment): Cell {
    const text = this.cellText(column, item, moment);
    const colour = column.level && COLOURS[column.level(item)];
    return colour === undefined ? { text } : { text, paint: (shown) => this.paint(shown, colour) };
  }

  /** Ages and moments as the console shows them; everything else as the entity writes it. */
  private cellText({ kind, value, at }: Shown, item: unknown, moment: WriteMoment): string {
    const when = at?.(item);
    if (when === undefined) return this.text(value(item));
    if (kind === 'age') return formatAge(Date.now() - when);
    return kind === 'time' || kind === 'day' ? moment(when, kind) : this.text(value(item));
  }

  /** As a cell; an age with the moment that it counts from, which the console shows on hover. */
  private detailText(
    kind: CellKind,
    value: string | Message | undefined,
    at: number | undefined,
    moment: WriteMoment,
  ): string {
    const text = this.cellText({ kind, value: () => value, at: () => at }, undefined, moment);
    return kind === 'age' && at !== undefined ? `${text} (${moment(at)})` : text;
  }

  private paint(text: string, colour: number): string {
    if (this.io.columns === undefined || this.io.env['NO_COLOR']) return text;
    return `\u001b[${colour}m${text}\u001b[39m`;
  }

  private text(value: string | Message | undefined): string {
    return typeof value === 'object' ? this.say(value) : (value ?? '');
  }

  /** What a plan says, to `write`; the organization is named, and that it is another's when it is. */
  plan(plan: Plan, organization: ActingOrganization, write: (text: string) => void): void {
    write(`${this.say(plan.summary)}${plan.personal ? '' : ` ${this.place(organization)}`}\n`);
    const fields = distribution(plan.changes);
    // Of many that change alike, how many do; else the first ones.
    const counted = plan.changes.length > SHOWN_CHANGES && isCommon(fields);
    for (const field of counted ? fields : []) write(`${this.fieldChanges(field)}\n`);
    const changes = counted ? [] : plan.changes.slice(0, SHOWN_CHANGES);
    const empty = this.say({ key: 'core:cli.plan.empty' });
    const columns = ['item', 'field', 'before', 'after'].map((id) => ({
      head: this.say({ key: `core:cli.plan.${id}` }),
      whole: id === 'item',
      least: LEAST_OF_CHANGE,
    }));
    const rows = changes.map((change) => {
      const [before, after] = this.sides(change);
      return [change.label, this.say(change.field), before || empty, after || empty].map((text) => ({ text }));
    });
    if (rows.length > 0) write(table(columns, rows, this.io.columns));
    const more = counted ? 0 : plan.changes.length - changes.length;
    if (more > 0) write(`${this.say({ key: 'core:cli.plan.more', values: { count: more } })}\n`);
    for (const note of plan.notes ?? []) write(`${this.say(note)}\n`);
    write(`${this.say({ key: plan.reversible ? 'core:cli.plan.reversible' : 'core:cli.plan.irreversible' })}\n`);
  }

  private place({ name, id, impersonating }: ActingOrganization): string {
    return this.say({ key: impersonating ? 'core:cli.plan.acting' : 'core:cli.plan.in', values: { name, id } });
  }

  /** What a change takes away and what it brings. */
  private sides({ before, after, added, removed }: Change): readonly [string, string] {
    if (!added && !removed) return [this.text(before), this.text(after)];
    const signed = (sign: string, names: Change['added']) => (names ?? []).map((name) => `${sign} ${this.text(name)}`);
    return [signed('−', removed).join(', '), signed('+', added).join(', ')];
  }

  /** `lifecycle: 23,100 Installed → Paused · 969 Spare → Paused` */
  private fieldChanges({ field, groups }: FieldChanges): string {
    const empty = this.say({ key: 'core:cli.plan.empty' });
    const ways = groups.slice(0, SHOWN_CHANGES).map(({ change, count }) => {
      const [before, after] = this.sides(change);
      const how = isListChange(change)
        ? [before, after].filter(Boolean).join(' ')
        : `${before || empty} → ${after || empty}`;
      return `${this.say({ key: 'core:count', values: { count } })} ${how}`;
    });
    const more = groups.slice(SHOWN_CHANGES).reduce((sum, { count }) => sum + count, 0);
    const rest = more > 0 ? [this.say({ key: 'core:cli.plan.more', values: { count: more } })] : [];
    return `${this.say(field)}: ${[...ways, ...rest].join(' · ')}`;
  }

  /** What was not done, item by item. */
  failures(outcome: Outcome): void {
    const refused = failed(outcome);
    if (refused.length > 0) {
      const columns = ['item', 'id', 'reason'].map((id) => ({ head: this.say({ key: `core:cli.failed.${id}` }) }));
      const rows = refused.map(({ label, id, failure }) =>
        [label, id, failure ? this.say(failure.message) : ''].map((text) => ({ text })),
      );
      // Uncut: a reason is for reading.
      this.io.err(table(columns, rows));
    }
    const skipped = (outcome.results ?? []).filter((result) => result.skipped).length;
    if (skipped > 0) this.note({ key: 'core:cli.skipped', values: { count: skipped } });
  }
}
