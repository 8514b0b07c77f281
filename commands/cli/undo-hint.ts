import { printLine } from '#commands/line/line.ts';
import { shellQuote } from '#commands/line/shell.ts';
import { targetParam } from '#commands/model/command.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Target } from '#commands/model/target.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { chunks } from '#commands/run/paging.ts';
import { message, type Message } from '#commands/text/message.ts';

import { requestedOrganization } from './connection.ts';
import { historyFolder } from './history-files.ts';
import type { TerminalHistory } from './history.ts';
import type { Io } from './io.ts';
import type { Globals } from './options.ts';
import type { Printer } from './printer.ts';

/** Maximum number of ids per command line because Linux limits an argument to 128 KiB. */
const MAX_IDS_PER_LINE = 8000;

/** Stores a change and returns the lines that explain how to undo it. */
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

  /**
   * Stores the change and returns the line `undo: npx quarterdeck undo`. If the history cannot store the change,
   * returns the reason and the full undo commands instead.
   */
  store(completedRun: CompletedRun, history: TerminalHistory): readonly string[] {
    const problem = this.tryToStore(completedRun, history);
    if (!completedRun.inverse) return [];
    if (!problem) return [this.line('undo')];
    const lines = completedRun.inverse.flatMap((invocation) => this.splitIds(invocation));
    return [this.printer.translate(problem), ...lines.map((line) => this.line(printLine(line, this.registry)))];
  }

  private tryToStore(completedRun: CompletedRun, history: TerminalHistory): Message | undefined {
    const { program } = this.io;
    try {
      return history.add(completedRun) ? undefined : message('core:cli.history.tooLong', { program });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return message('core:cli.history.notWritten', { path: historyFolder(this.io), code, program });
    }
  }

  private line(words: string): string {
    return this.printer.translate(message('core:cli.undo', { line: `${this.io.program} ${words}${this.options()}` }));
  }

  /** Returns the options that name the server and organization, if they aren't the defaults. */
  private options(): string {
    const { server } = this.globals;
    const org = requestedOrganization(this.globals, this.io);
    const options = [org === undefined ? [] : ['--org', org], server === undefined ? [] : ['--server', server]];
    return options
      .flat()
      .map((word) => ` ${shellQuote(word)}`)
      .join('');
  }

  /** Splits a long list of ids across several lines, because shells limit the length of a word. */
  private splitIds(invocation: Invocation): readonly Invocation[] {
    const command = this.registry.command(invocation.id);
    const name = command && targetParam(command)?.name;
    const target = name === undefined ? undefined : (invocation.args[name] as Target | undefined);
    if (name === undefined || !target || !('ids' in target)) return [invocation];
    return chunks(target.ids, MAX_IDS_PER_LINE).map((ids) => ({
      ...invocation,
      args: { ...invocation.args, [name]: { ids } },
    }));
  }
}
