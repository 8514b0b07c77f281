import { targetParam } from '#commands/model/command.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { printLine } from '#commands/line/line.ts';
import { message, type Message } from '#commands/text/message.ts';
import { chunks } from '#commands/run/paging.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Done } from '#commands/run/done.ts';
import { shellQuote } from '#commands/line/shell.ts';
import type { Target } from '#commands/model/target.ts';
import { organizationOf } from './connection.ts';
import { historyFolder } from './history-files.ts';
import type { TerminalHistory } from './history.ts';
import type { Io } from './io.ts';
import type { Globals } from './options.ts';
import type { Printer } from './printer.ts';

/** Linux takes 128 KiB in one word of a command. */
const IDS_IN_A_LINE = 8000;

/** Remembers what was done, and says how to take it back. */
export class UndoHint {
  private readonly registry: Registry;
  private readonly globals: Globals;
  private readonly io: Io;
  private readonly printer: Printer;

  constructor(registry: Registry, globals: Globals, io: Io, printer: Printer) {
    this.registry = registry;
    this.globals = globals;
    this.io = io;
    this.printer = printer;
  }

  /** `undo: npx quarterdeck undo`; the lines in full, with the reason, where the history could not take it. */
  remember(done: Done, history: TerminalHistory): readonly string[] {
    const problem = this.tryToRemember(done, history);
    if (!done.inverse) return [];
    if (!problem) return [this.line('undo')];
    const lines = done.inverse.flatMap((invocation) => this.pastable(invocation));
    return [this.printer.say(problem), ...lines.map((line) => this.line(printLine(line, this.registry)))];
  }

  private tryToRemember(done: Done, history: TerminalHistory): Message | undefined {
    const { program } = this.io;
    try {
      return history.remember(done) ? undefined : message('core:cli.history.tooLong', { program });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return message('core:cli.history.unwritten', { path: historyFolder(this.io), code, program });
    }
  }

  private line(words: string): string {
    return this.printer.say(message('core:cli.undo', { line: `${this.io.program} ${words}${this.where()}` }));
  }

  /** The options that name where it was done, other than by default. */
  private where(): string {
    const { server } = this.globals;
    const org = organizationOf(this.globals, this.io);
    const options = [org === undefined ? [] : ['--org', org], server === undefined ? [] : ['--server', server]];
    return options
      .flat()
      .map((word) => ` ${shellQuote(word)}`)
      .join('');
  }

  /** A shell takes only so much in one word: a long list of ids becomes several lines. */
  private pastable(invocation: Invocation): readonly Invocation[] {
    const of = this.registry.command(invocation.id);
    const name = of && targetParam(of)?.name;
    const target = name === undefined ? undefined : (invocation.args[name] as Target | undefined);
    if (name === undefined || !target || !('ids' in target)) return [invocation];
    return chunks(target.ids, IDS_IN_A_LINE).map((ids) => ({
      ...invocation,
      args: { ...invocation.args, [name]: { ids } },
    }));
  }
}
