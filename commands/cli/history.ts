import { CommandError } from '#commands/model/errors.ts';
import { changedSomething, type Entry } from '#commands/run/history.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { message, type Message } from '#commands/text/message.ts';
import { isListChange, type Change, type ValueText } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Done } from '#commands/run/done.ts';
import { withoutSecrets } from '#commands/run/run.ts';
import { MOST_BYTES_OF_ONE, type HistoryFiles } from './history-files.ts';

/** Of the file's form; one of another is not read. */
const FORMAT = 1;

/** Items that a change left with the same value in one field. */
interface Left {
  readonly field: Message;
  readonly after?: ValueText;
  readonly ids: readonly string[];
}

/**
 * What a file holds of a change: what it was, what takes it back, and what it left behind. No secrets, and nothing of
 * what it was called with.
 */
interface Kept {
  readonly format: typeof FORMAT;
  readonly at: string;
  readonly organization: string;
  readonly command: string;
  readonly summary?: Message;
  readonly inverse?: readonly Invocation[];
  readonly left?: readonly Left[];
  /** False for what undo passes by: all was refused, or nothing was there to change. */
  readonly changed: boolean;
  readonly harmless?: boolean;
}

/** A change that can be taken back. */
export interface Remembered {
  readonly name: string;
  readonly entry: Entry;
  /** Whether something was run after it that undo passes by. */
  readonly behind: boolean;
}

/** What somebody changed from terminals: kept on disk, as every line is a process of its own. */
export class TerminalHistory {
  private readonly files: HistoryFiles;
  private readonly registry: Registry;

  constructor(files: HistoryFiles, registry: Registry) {
    this.files = files;
    this.registry = registry;
  }

  /**
   * Keeps what was done. Resolves to false where it is too long to be kept: then it cannot be undone from here.
   * @throws ErrnoException
   */
  remember(done: Done): boolean {
    const kept = this.keptOf(done);
    // What is only compared with goes first.
    const tries = [kept, { ...kept, left: undefined }, { ...kept, left: undefined, inverse: undefined }];
    for (const [at, each] of tries.entries()) {
      const text = textOf(each);
      if (text === undefined) continue;
      this.files.add(text);
      return at < tries.length - 1;
    }
    return false;
  }

  /**
   * The newest change of this person, here, that was not taken back.
   * @throws CommandError where its file cannot be read: nothing older is undone then.
   */
  newest(): Remembered | undefined {
    let behind = false;
    for (const name of this.files.names()) {
      const kept = this.read(name);
      if (kept?.changed) return { name, entry: entryOf(kept), behind };
      behind ||= kept !== undefined;
    }
    return undefined;
  }

  /** Keeps what is still to be taken back of a change; one of which nothing is left is forgotten. */
  keepLeft({ name, entry }: Remembered, left: readonly Invocation[]): void {
    if (left.length === 0) return this.files.remove(name);
    const text = textOf(this.keptOf({ ...entry.done, inverse: left }));
    if (text !== undefined) this.files.replace(name, text);
  }

  private keptOf(done: Done): Kept {
    const { invocation, inverse, organization, summary, left, harmless } = done;
    return {
      format: FORMAT,
      at: new Date().toISOString(),
      organization,
      command: invocation.id,
      ...(summary ? { summary } : {}),
      ...(inverse ? { inverse: inverse.map((item) => this.withoutSecrets(item)) } : {}),
      ...(left ? { left: grouped(left) } : {}),
      changed: changedSomething(done),
      ...(harmless ? { harmless } : {}),
    };
  }

  private withoutSecrets({ id, args }: Invocation): Invocation {
    const of = this.registry.command(id);
    if (!of) throw new RangeError(`no command '${id}'`);
    return { id, args: withoutSecrets(of, args) };
  }

  /** Undefined for a file that another process has taken back meanwhile. */
  private read(name: string): Kept | undefined {
    try {
      const kept = JSON.parse(this.files.read(name)) as unknown;
      if (isKept(kept)) return kept;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    }
    throw new CommandError(message('core:cli.history.unreadable', { path: this.files.path(name) }));
  }
}

/** Undefined where it takes more than is kept of one change. */
function textOf(kept: Kept): string | undefined {
  try {
    const text = `${JSON.stringify(kept)}\n`;
    return Buffer.byteLength(text) > MOST_BYTES_OF_ONE ? undefined : text;
  } catch (error) {
    // No text can be that long.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Values by what they are, each with its items: a change of a fleet leaves the same behind 100,000 times. Lists are
 * not compared.
 */
function grouped(changes: readonly Change[]): readonly Left[] {
  const groups = new Map<string, { field: Message; after?: ValueText; ids: string[] }>();
  for (const change of changes) {
    if (isListChange(change)) continue;
    const { id, field, after } = change;
    const key = JSON.stringify([field, after ?? null]);
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { field, ...(after === undefined ? {} : { after }), ids: [id] });
  }
  return [...groups.values()];
}

function entryOf({ command, organization, summary, inverse, left, harmless }: Kept): Entry {
  const changes = left?.flatMap(({ field, after, ids }) => ids.map((id): Change => ({ id, label: id, field, after })));
  return {
    undone: false,
    done: {
      invocation: { id: command, args: {} },
      outcome: {},
      inverse,
      organization,
      summary,
      left: changes,
      ...(harmless ? { harmless } : {}),
    },
  };
}

function isKept(value: unknown): value is Kept {
  if (!isObject(value)) return false;
  const { format, organization, command, summary, inverse, left, changed } = value;
  return (
    format === FORMAT &&
    typeof organization === 'string' &&
    typeof command === 'string' &&
    typeof changed === 'boolean' &&
    (summary === undefined || isMessage(summary)) &&
    isList(inverse, (item) => isObject(item) && typeof item['id'] === 'string' && isObject(item['args'])) &&
    isList(left, (item) => isObject(item) && isMessage(item['field']) && Array.isArray(item['ids']))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isMessage = (value: unknown): boolean => isObject(value) && typeof value['key'] === 'string';

const isList = (value: unknown, isOne: (item: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isOne));
