import type { ActingOrganization } from '../core/context.ts';
import { distribution, isCommon } from '../core/distribution.ts';
import { printAge } from '../core/duration.ts';
import { entityTexts, type AnyEntity, type Column, type Level } from '../core/entity.ts';
import type { FactLines, Listing } from '../core/host.ts';
import type { Message, Translate } from '../core/message.ts';
import { isListChange, type Change, type FieldChanges, type Plan } from '../core/plan.ts';
import type { Registry } from '../core/registry.ts';
import { failed, type Outcome } from '../core/result.ts';
import type { Io } from './io.ts';
import { displayWidth, plainText, table, type Cell } from './table.ts';

/** Changes of a plan that are shown; the rest are counted. */
const SHOWN_CHANGES = 20;

const COLOURS: Readonly<Record<Level, number | undefined>> = { ok: 32, warning: 33, error: 31, none: undefined };

/**
 * Writes a moment (ms since the epoch) as the person prefers. Without a preference it stays as the server says it, with its zone: output of a script does not
 * change with where it runs.
 */
export type Moment = (at: number) => string;

/** What the command line says, as text for people. Colours only on a terminal, and not with NO_COLOR. */
export class Printer {
  readonly say: Translate;
  private readonly io: Io;
  private readonly registry: Registry;

  constructor(io: Io, registry: Registry, say: Translate) {
    this.io = io;
    this.registry = registry;
    this.say = say;
  }

  error(said: Message | string): void {
    this.io.err(`${typeof said === 'string' ? said : this.say(said)}\n`);
  }

  note(said: Message): void {
    this.io.err(`${this.say(said)}\n`);
  }

  list({ entity: name, items, total, staffOnly, detail }: Listing, moment?: Moment): void {
    const of = this.registry.entity(name);
    if (!of) throw new RangeError(`no entity '${name}'`);
    if (detail && items.length === 1) return this.record(of, items[0], moment);
    // By their texts: two messages that say the same are two objects.
    const differs = (value: Column<unknown>['value']) => new Set(items.map((item) => this.text(value(item)))).size > 1;
    const shown = of.columns.filter(({ when, value }) => !when || differs(value));
    const columns = shown.map(({ id, kind }) => ({
      head: this.say(entityTexts.column(of, id)),
      right: kind === 'number',
    }));
    const rows = items.map((item) => shown.map((column) => this.cell(column, item, moment)));
    if (rows.length > 0) this.io.out(table(columns, rows, this.io.columns));
    if (rows.length < total || rows.length === 0) {
      this.note({ key: 'core:cli.shown', values: { shown: rows.length, count: total, entity: of.plural } });
    }
    if (staffOnly) this.note(entityTexts.staffOnly(staffOnly));
  }

  private record(of: AnyEntity, item: unknown, moment?: Moment): void {
    const facts = of.facts ?? of.columns;
    const head = (id: string): string => this.say(of.facts ? entityTexts.fact(of, id) : entityTexts.column(of, id));
    this.lines(
      facts.flatMap((fact) => {
        const value = this.factText(fact, item, moment);
        return value ? [[head(fact.id), value] as const] : [];
      }),
    );
  }

  facts(lines: FactLines['lines'], moment?: Moment): void {
    this.lines(
      lines.flatMap(({ head, value, at }) => {
        const text = at === undefined || !moment ? this.text(value) : moment(at);
        return text ? [[this.say(head), text] as const] : [];
      }),
    );
  }

  private lines(lines: readonly (readonly [head: string, value: string])[]): void {
    const width = Math.max(0, ...lines.map(([name]) => displayWidth(name)));
    for (const [name, value] of lines) {
      // A note of several lines stays several lines, under one another.
      const [first = '', ...more] = value.split('\n').map(plainText);
      this.io.out(`${name}${' '.repeat(width - displayWidth(name))}  ${first}\n`);
      for (const line of more) this.io.out(`${' '.repeat(width)}  ${line}\n`);
    }
  }

  private cell(column: Column<unknown>, item: unknown, moment?: Moment): Cell {
    const text = this.cellText(column, item, moment);
    const colour = column.level && COLOURS[column.level(item)];
    return colour === undefined ? { text } : { text, paint: (shown) => this.paint(shown, colour) };
  }

  /** An age as the console shows it, `1d17h`; everything else as the entity writes it. */
  private cellText(column: Column<unknown>, item: unknown, moment?: Moment): string {
    const at = column.kind === 'age' ? column.at?.(item) : undefined;
    return at === undefined ? this.factText(column, item, moment) : printAge((Date.now() - at) / 1000);
  }

  private factText(fact: Pick<Column<unknown>, 'kind' | 'value' | 'at'>, item: unknown, moment?: Moment): string {
    const at = fact.kind === 'time' ? fact.at?.(item) : undefined;
    return at === undefined || !moment ? this.text(fact.value(item)) : moment(at);
  }

  private paint(text: string, colour: number): string {
    if (this.io.columns === undefined || this.io.env['NO_COLOR']) return text;
    return `\u001b[${colour}m${text}\u001b[39m`;
  }

  private text(value: string | Message | undefined): string {
    return typeof value === 'object' ? this.say(value) : (value ?? '');
  }

  /** What a plan says, to `write`; the organization is always named, and that it is another's when it is. */
  plan(plan: Plan, organization: ActingOrganization, write: (text: string) => void): void {
    const where = { name: organization.name, id: organization.id };
    const key = organization.impersonating ? 'core:cli.plan.acting' : 'core:cli.plan.in';
    write(`${this.say(plan.summary)} ${this.say({ key, values: where })}\n`);
    const fields = distribution(plan.changes);
    // Of many that change alike, how many do; else the first ones.
    const counted = plan.changes.length > SHOWN_CHANGES && isCommon(fields);
    for (const field of counted ? fields : []) write(`${this.fieldChanges(field)}\n`);
    const changes = counted ? [] : plan.changes.slice(0, SHOWN_CHANGES);
    const empty = this.say({ key: 'core:cli.plan.empty' });
    const columns = ['item', 'field', 'before', 'after'].map((id) => ({
      head: this.say({ key: `core:cli.plan.${id}` }),
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
      this.io.err(table(columns, rows, this.io.watched ? this.io.columns : undefined));
    }
    const skipped = (outcome.results ?? []).filter((result) => result.skipped).length;
    if (skipped > 0) this.note({ key: 'core:cli.skipped', values: { count: skipped } });
  }
}
