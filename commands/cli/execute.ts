import { setTimeout } from 'node:timers/promises';

import { printLine } from '#commands/line/line.ts';
import type { Command } from '#commands/model/command.ts';
import type { Context, Progress } from '#commands/model/context.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import { failedResults, succeededResults, type Outcome } from '#commands/model/result.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { availability } from '#commands/run/availability.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { PaceMeter, paceText } from '#commands/run/pace.ts';
import { prepare, run } from '#commands/run/run.ts';
import { MAX_FAILURE_PERCENT } from '#commands/run/stages.ts';
import { momentFormat } from '#commands/session/preferences.ts';
import { message } from '#commands/text/message.ts';
import { momentFormatter, type WriteMoment } from '#commands/text/moment.ts';

import { complete, IncompleteLineError } from './ask.ts';
import { createContext, withoutSlash, type Session } from './connection.ts';
import { filesHost } from './files-host.ts';
import { HistoryFiles, historyFolder } from './history-files.ts';
import { TerminalHistory } from './history.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';
import { startJournal, type TerminalJournal } from './journal.ts';
import { resultJson, jsonLine, jsonText, listingJson, planJson, undoResultJson } from './json.ts';
import { nothingToSetMessage } from './missing-arguments.ts';
import type { Globals } from './options.ts';
import type { Printer } from './printer.ts';
import { UndoHint } from './undo-hint.ts';
import { revertedMessage, planUndo } from './undo.ts';

/** Reasons that depend on the user's roles or on the organization. */
const NOT_PERMITTED: ReadonlySet<string> = new Set(['ability', 'feature', 'organization', 'readOnly']);

/** A terminal can't pause a run. */
const ready = async (): Promise<void> => undefined;

/** Runs one command, from its arguments to the exit code. */
export class Execution {
  private readonly registry: Registry;
  private readonly globals: Globals;
  private readonly io: Io;
  private readonly printer: Printer;
  private readonly context: Context;
  private readonly moment: WriteMoment;
  private readonly files: HistoryFiles;
  private readonly history: TerminalHistory;

  constructor(registry: Registry, globals: Globals, io: Io, printer: Printer, session: Session) {
    this.registry = registry;
    this.globals = globals;
    this.io = io;
    this.printer = printer;
    const { organization, actor, preferences } = session.userSession;
    const host: Partial<HostCapabilities> = {
      output: {
        list: (listing) => {
          this.print(
            () => printer.list(listing, this.moment),
            () => listingJson(listing, registry),
          );
        },
        details: ({ lines, json }) => {
          this.print(
            () => printer.details(lines, this.moment),
            () => json,
          );
        },
        stream: async (stream) => {
          this.hasPrinted = true;
          if (!globals.json) return printer.stream(stream, this.moment);
          for await (const rows of stream.batches) io.out(rows.map((row) => jsonLine(stream.json(row))).join(''));
          return undefined;
        },
        rows: (rows) => {
          this.print(
            () => printer.rows(rows, this.moment),
            () => rows.json,
          );
        },
      },
      files: filesHost(session, io),
      translate: printer.translate,
      timer: { pause: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }) },
      line: { print: async (invocation) => printLine(invocation, registry) },
      safeguard: ({ summary, inverse }) => {
        if (this.journal) return this.journal.safeguard(inverse);
        const forget = this.history.safeguard({
          invocation: { id: inverse[0]?.id ?? '', args: {} },
          outcome: {},
          organization: organization.id,
          summary,
          inverse,
          changes: undefined,
          interrupted: true,
        });
        return () => void this.obsoleteSafeguards.push(forget);
      },
    };
    this.moment = momentFormatter(momentFormat(preferences), printer.language);
    this.context = createContext(session, io, host, (progress) => this.progress(progress));
    const server = withoutSlash(session.server);
    this.files = new HistoryFiles(historyFolder(io), { server, organization: organization.id, account: actor.id });
    this.history = new TerminalHistory(this.files, registry);
  }

  /**
   * Runs a command and reports its outcome.
   *
   * @throws CommandError or ConnectError if the command couldn't start
   */
  async run(command: Command, input: Args): Promise<ExitCode> {
    const available = availability(command, this.context);
    if (!available.ok) {
      this.printer.fail(available.reason.message);
      return NOT_PERMITTED.has(available.reason.code) ? EXIT.notPermitted : EXIT.failed;
    }
    const missingMessage = nothingToSetMessage(command, input);
    if (missingMessage) throw new IncompleteLineError(missingMessage);
    const preparedRun = await prepare(command, await this.complete(command, input), this.context);
    if (this.globals.plan) return this.showPlan(preparedRun.plan);
    const exitCode = preparedRun.confirm && !this.globals.yes && (await this.confirm(preparedRun.plan));
    if (exitCode) return exitCode;
    // The lookups for the plan had another pace.
    this.meter.restart();
    this.journal = startJournal(preparedRun, this.context, this.registry, this.files);
    let completedRun: CompletedRun;
    try {
      completedRun = await run(preparedRun, this.context, this.journal && { ready, ...this.journal });
    } catch (error) {
      this.journal?.fail();
      throw error;
    }
    return this.finish(completedRun, command.effect === 'write' || command.effect === 'destructive');
  }

  /**
   * Undoes the newest change. Shows the plan first in the same cases as the console.
   *
   * @throws CommandError if no change is left, or if the newest change cannot be undone.
   */
  async undo(): Promise<ExitCode> {
    const { registry, context, history, globals } = this;
    const { preparedUndo, revertedEntry, ...undo } = await planUndo({
      registry,
      context,
      history,
      complete: async ({ id, args }) => {
        const command = registry.command(id);
        return { id, args: command ? await this.complete(command, args) : args };
      },
    });
    if (revertedEntry) {
      if (!globals.plan) undo.removeChange();
      this.printer.note(revertedMessage(revertedEntry, registry));
      return EXIT.ok;
    }
    if (globals.plan) return this.showPlan(preparedUndo.plan);
    const exitCode = preparedUndo.confirm && !globals.yes && (await this.confirm(preparedUndo.plan));
    if (exitCode) return exitCode;
    const outcome = await undo.run();
    this.removeSafeguards();
    if (globals.json) this.io.out(jsonText(undoResultJson(outcome, context.organization.id, this.printer.translate)));
    else this.report(outcome);
    return this.exitCodeOf(outcome);
  }

  private complete(command: Command, input: Args): Promise<Args> {
    return complete(command, input, this.context, this.io, this.printer);
  }

  private showPlan(plan: Plan | undefined): ExitCode {
    const { organization } = this.context;
    if (plan && this.globals.json) this.io.out(jsonText(planJson(plan, this.printer.translate, organization.id)));
    else if (plan) this.printer.plan(plan, organization, this.io.out);
    else this.printer.note(message('core:cli.plan.nothing'));
    return EXIT.ok;
  }

  /** Shows the plan and asks for confirmation. Returns an exit code only if the user declines. */
  private async confirm(plan: Plan | undefined): Promise<ExitCode | undefined> {
    if (!plan) return undefined;
    this.printer.plan(plan, this.context.organization, this.io.err);
    if (!this.io.isInteractive) {
      this.printer.fail(message('core:cli.confirm.needed'), { code: 'confirmation_needed' });
      return EXIT.usage;
    }
    const question = plan.confirm
      ? message('core:cli.confirm.type', { text: plan.confirm })
      : message('core:cli.confirm.ask');
    const answer = (await this.io.ask(`${this.printer.translate(question)} `)).trim();
    const isConfirmed = plan.confirm ? answer === plan.confirm : /^(y|yes)$/i.test(answer);
    if (isConfirmed) return undefined;
    this.printer.fail(message('core:cli.confirm.declined'), { code: 'canceled' });
    return EXIT.failed;
  }

  private finish(completedRun: CompletedRun, isChange: boolean): ExitCode {
    const hint = new UndoHint(this.registry, this.globals, this.io, this.printer);
    const lines = isChange ? hint.store(completedRun, this.history) : [];
    this.journal?.close();
    if (this.globals.json) {
      // A list or a record was already printed and is the complete output.
      if (!this.hasPrinted) this.io.out(jsonText(resultJson(completedRun, this.registry, this.printer.translate)));
    } else {
      this.report(completedRun.outcome);
      if (completedRun.stopped) this.printer.note(message('core:cli.stopped', { percent: MAX_FAILURE_PERCENT }));
      for (const line of lines) this.io.err(`${line}\n`);
    }
    return this.exitCodeOf(completedRun.outcome);
  }

  private report(outcome: Outcome): void {
    if (outcome.message && !this.hasPrinted) this.io.out(`${this.printer.translate(outcome.message)}\n`);
    if (outcome.reveal) this.io.out(`${this.printer.translate(outcome.reveal.label)}: ${outcome.reveal.value}\n`);
    this.printer.failures(outcome);
  }

  private exitCodeOf(outcome: Outcome): ExitCode {
    if (this.io.signal.aborted) return EXIT.interrupted;
    if (failedResults(outcome).length === 0) return EXIT.ok;
    return succeededResults(outcome).length > 0 ? EXIT.someFailed : EXIT.failed;
  }

  /** Removes these only once the change itself is stored, so a process that ends in between can still be undone. */
  private readonly obsoleteSafeguards: (() => void)[] = [];

  private removeSafeguards(): void {
    for (const remove of this.obsoleteSafeguards.splice(0)) remove();
  }

  private journal: TerminalJournal | undefined;

  private hasPrinted = false;

  /** Prints the complete output, as text or as JSON. */
  private print(printText: () => void, json: () => unknown): void {
    this.hasPrinted = true;
    if (this.globals.json) this.io.out(jsonText(json()));
    else printText();
  }

  private meter = new PaceMeter();

  private progress(progress: Progress): void {
    const { done, total } = progress;
    const { translate } = this.printer;
    const pace = this.meter.add(progress, performance.now());
    const text = translate(message('core:cli.progress', { done, total }));
    this.io.status(done < total ? `${text}${pace ? ` · ${translate(paceText(pace))}` : ''}` : undefined);
  }
}
