import { availability } from '../core/availability.ts';
import { targetParam, type Command } from '../core/command.ts';
import type { Context, Progress } from '../core/context.ts';
import type { HostCapabilities, Listing } from '../core/host.ts';
import type { Args, Invocation } from '../core/invocation.ts';
import { printLine } from '../core/line.ts';
import { message } from '../core/message.ts';
import { formatMoment } from '../core/moment.ts';
import { chunks } from '../core/paging.ts';
import { momentFormat } from '../core/preferences.ts';
import type { Registry } from '../core/registry.ts';
import { failed, succeeded } from '../core/result.ts';
import { prepare, run, type Done, type Prepared } from '../core/run.ts';
import { shellQuote } from '../core/shell.ts';
import type { Target } from '../core/target.ts';
import { complete } from './ask.ts';
import { contextOf, organizationOf, type Session } from './connection.ts';
import { PROGRAM, runsHere } from './help.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';
import { doneJson, jsonText, listingJson, planJson } from './json.ts';
import type { Globals } from './options.ts';
import type { Moment, Printer } from './printer.ts';

/** Linux takes 128 KiB in one word of a command. */
const IDS_IN_A_LINE = 8000;

/** Reasons that another role or organization would lift. */
const NOT_PERMITTED: ReadonlySet<string> = new Set(['ability', 'feature', 'organization', 'readOnly']);

/** One run of one command, from its arguments to the exit code. */
export class Execution {
  private readonly registry: Registry;
  private readonly globals: Globals;
  private readonly io: Io;
  private readonly printer: Printer;
  private readonly context: Context;
  private readonly moment: Moment | undefined;

  constructor(registry: Registry, globals: Globals, io: Io, printer: Printer, session: Session) {
    this.registry = registry;
    this.globals = globals;
    this.io = io;
    this.printer = printer;
    const host: Partial<HostCapabilities> = {
      output: {
        list: (listing) => this.list(listing),
        facts: ({ lines, json }) => (globals.json ? this.json(json) : printer.facts(lines, this.moment)),
        json: (value) => this.json(value),
      },
      line: { print: (invocation) => printLine(invocation, registry) },
    };
    const format = momentFormat(session.acting.preferences);
    this.moment = format && ((at) => formatMoment(at, format));
    this.context = contextOf(session, io, host, (progress) => this.progress(progress));
  }

  /** @throws CommandError or ConnectError when it could not be tried. */
  async of(command: Command, given: Args): Promise<ExitCode> {
    if (!runsHere(command)) {
      this.printer.error(message('core:cli.consoleOnly', { command: command.id.replace('.', ' ') }));
      return EXIT.usage;
    }
    const available = availability(command, this.context);
    if (!available.ok) {
      this.printer.error(available.reason.message);
      return NOT_PERMITTED.has(available.reason.code) ? EXIT.notPermitted : EXIT.failed;
    }
    const args = await complete(command, given, this.context, this.io, this.printer);
    const prepared = await prepare(command, args, this.context);
    if (this.globals.plan) return this.showPlan(prepared);
    const refused = prepared.confirm && !this.globals.yes && (await this.refusal(prepared));
    return refused || this.finish(await run(prepared, this.context));
  }

  private showPlan({ plan }: Prepared): ExitCode {
    const { organization } = this.context;
    if (plan && this.globals.json) this.io.out(jsonText(planJson(plan, this.printer.say, organization.id)));
    else if (plan) this.printer.plan(plan, organization, this.io.out);
    else this.printer.note(message('core:cli.plan.nothing'));
    return EXIT.ok;
  }

  /** Shows the plan and asks; undefined when it may go ahead. */
  private async refusal({ plan }: Prepared): Promise<ExitCode | undefined> {
    if (!plan) return undefined;
    this.printer.plan(plan, this.context.organization, this.io.err);
    if (!this.io.interactive) {
      this.printer.error(message('core:cli.confirm.needed'));
      return EXIT.usage;
    }
    const question = plan.confirm
      ? message('core:cli.confirm.type', { text: plan.confirm })
      : message('core:cli.confirm.ask');
    const answer = (await this.io.ask(`${this.printer.say(question)} `)).trim();
    const agreed = plan.confirm ? answer === plan.confirm : /^(y|yes)$/i.test(answer);
    if (agreed) return undefined;
    this.printer.note(message('core:cli.confirm.declined'));
    return EXIT.failed;
  }

  private finish(done: Done): ExitCode {
    const { outcome } = done;
    if (this.globals.json) {
      // One document: what the command printed itself is all of the answer.
      if (!this.answered) this.io.out(jsonText(doneJson(done, this.registry, this.printer.say)));
    } else {
      if (outcome.said && !this.answered) this.io.out(`${this.printer.say(outcome.said)}\n`);
      if (outcome.reveal) this.io.out(`${this.printer.say(outcome.reveal.label)}: ${outcome.reveal.value}\n`);
      this.printer.failures(outcome);
      for (const line of this.undoLines(done)) this.io.err(`${line}\n`);
    }
    if (this.io.signal.aborted) return EXIT.interrupted;
    if (failed(outcome).length === 0) return EXIT.ok;
    return succeeded(outcome).length > 0 ? EXIT.someFailed : EXIT.failed;
  }

  /** Lines that take it back, in the organization it was done in. */
  private undoLines({ inverse = [] }: Done): readonly string[] {
    const org = organizationOf(this.globals, this.io);
    const where = org === undefined ? '' : ` --org ${shellQuote(org)}`;
    return inverse
      .flatMap((each) => this.pastable(each))
      .map((each) => {
        const line = `${PROGRAM} ${printLine(each, this.registry)}${where}`;
        return this.printer.say(message('core:cli.undo', { line }));
      });
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

  /** The command has printed its own answer. */
  private answered = false;

  private list(listing: Listing): void {
    this.answered = true;
    if (this.globals.json) this.json(listingJson(listing, this.registry));
    else this.printer.list(listing, this.moment);
  }

  private json(value: unknown): void {
    this.answered = true;
    this.io.out(jsonText(value));
  }

  private progress({ done, total }: Progress): void {
    if (!this.io.watched) return;
    const said = this.printer.say(message('core:cli.progress', { done, total }));
    // Written over and over on one line, and cleared when all is done.
    this.io.err(done < total ? `\r\u001b[K${said}` : '\r\u001b[K');
  }
}
