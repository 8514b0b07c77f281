import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import * as resources from '#commands/nouns/texts.ts';
import type { Command } from '#commands/model/command.ts';
import { CommandError, failureOf, isAbort, NothingMatches } from '#commands/model/errors.ts';
import { parseArgv, type ParsedLine } from '#commands/line/line.ts';
import { unknownOption } from '#commands/line/line-head.ts';
import { message, type Message } from '#commands/text/message.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { shellQuote } from '#commands/line/shell.ts';
import { findLogin, NotSignedIn, openSession } from './connection.ts';
import { Execution } from './execute.ts';
import { argumentName } from './forms.ts';
import { Help } from './help.ts';
import { registryHere, runsHere } from './here.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';
import { failureJson, jsonText } from './json.ts';
import { login, logout } from './login.ts';
import { GLOBALS, splitGlobals, type Globals } from './options.ts';
import { isOwn, OWN, type OwnCommand } from './own.ts';
import { Printer } from './printer.ts';
import { VERSION } from './version.ts';
import { WrongLine } from './wrong-line.ts';

/** Runs a command line over a registry; resolves to the exit code and never rejects. */
export async function cli(argv: readonly string[], io: Io, registry: Registry): Promise<ExitCode> {
  const { env } = io;
  const translator = await createTranslator(env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en', resources);
  const printer = new Printer(io, registry, translateWith(translator), translator.language);
  const { globals } = splitGlobals(argv);
  const exit = await dispatch(argv, io, registry, printer).catch((error: unknown) =>
    explainFailure(error, globals, io, printer),
  );
  if (globals.json && printer.failed.length > 0) io.out(jsonText(failureJson(CODES[exit], printer.failed)));
  return exit;
}

/** The codes of what no server refused, by how the run ends; the others are the contract's statuses. */
const CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.ok]: 'ok',
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'usage',
  [EXIT.someFailed]: 'some_failed',
  [EXIT.notPermitted]: 'permission_denied',
  [EXIT.interrupted]: 'canceled',
};

function explainFailure(error: unknown, globals: Globals, io: Io, printer: Printer): ExitCode {
  if (isAbort(error) || io.signal.aborted) {
    printer.fail(message('core:cli.interrupted'));
    return EXIT.interrupted;
  }
  const { code, message: text } = failureOf(error);
  if (code === 'unavailable') {
    const { server } = findLogin(globals, io);
    printer.fail(message('core:cli.unreachable', { server }), { code });
    return EXIT.failed;
  }
  const isRefused = code === 'unauthenticated';
  printer.fail(
    isRefused ? message('core:cli.login.refused', { reason: text, program: io.program }) : text,
    codeOf(error, code),
  );
  return exitOf(error, code);
}

/** What a machine tells failures apart by, besides the exit code. */
function codeOf(error: unknown, code: string): { readonly code?: string } {
  if (error instanceof NotSignedIn) return { code: 'unauthenticated' };
  if (error instanceof NothingMatches) return { code: 'nothing_matches' };
  return error instanceof CommandError ? {} : { code };
}

/** Statuses by which a server turns down what the line says, or does not find what it names. */
const LINE_IS_WRONG: ReadonlySet<string> = new Set(['invalid_argument', 'not_found']);

function exitOf(error: unknown, code: string): ExitCode {
  if (error instanceof NotSignedIn || code === 'permission_denied' || code === 'unauthenticated')
    return EXIT.notPermitted;
  if (error instanceof NothingMatches) return EXIT.failed;
  const isUsage =
    error instanceof WrongLine ||
    LINE_IS_WRONG.has(code) ||
    (error instanceof CommandError && error.param !== undefined);
  return isUsage ? EXIT.usage : EXIT.failed;
}

async function dispatch(argv: readonly string[], io: Io, registry: Registry, printer: Printer): Promise<ExitCode> {
  const { globals, words, problem } = splitGlobals(argv);
  if (problem) {
    printer.fail(problem);
    return EXIT.usage;
  }
  if (globals.version) {
    io.out(`${VERSION}\n`);
    return EXIT.ok;
  }
  const [first] = words;
  if (globals.help || first === undefined || first === 'help') {
    const about = first === 'help' ? words.slice(1) : words;
    const page = new Help(registry, printer.say, io.program, io.columns).about(about);
    if (page === undefined) return unknown(about, registry, printer);
    io.out(page);
    return EXIT.ok;
  }
  if (isOwn(first)) return own(first, words.slice(1), globals, io, registry, printer);
  const line = await parse(words, io, registry);
  const { command, invocation } = line;
  if (!command) return unknown(words, registry, printer);
  if (!runsHere(command)) {
    printer.fail(message('core:cli.consoleOnly', { command: command.id.replace('.', ' ') }));
    return EXIT.usage;
  }
  if (!invocation) {
    explain(words, line, printer);
    return EXIT.usage;
  }
  const session = await openSession(globals, io);
  try {
    return await new Execution(registry, globals, io, printer, session).of(command, invocation.args);
  } catch (error) {
    if (!(error instanceof CommandError) || error instanceof NothingMatches || error.param === undefined) throw error;
    explainParam(words, { ...line, command }, error.param, error.userMessage, printer);
    return EXIT.usage;
  }
}

/** Says what running a line found wrong with an argument, where the line has it. */
function explainParam(
  words: readonly string[],
  line: ParsedLine & { readonly command: Command },
  param: string,
  text: Message,
  printer: Printer,
): void {
  const at = line.words.filter((word) => word.role === 'value' && word.param === param);
  const [first, last] = [at[0], at.at(-1)];
  if (first && last)
    explain(words, { ...line, problems: [{ from: first.from, to: last.to, message: text, param }] }, printer);
  else printer.fail(text, { argument: argumentName(line.command, param) });
}

/** What is no command of the registry: it takes no words of its own. */
async function own(
  name: OwnCommand,
  words: readonly string[],
  globals: Globals,
  io: Io,
  registry: Registry,
  printer: Printer,
): Promise<ExitCode> {
  const [word] = words;
  if (word !== undefined) {
    const isOption = word.startsWith('--');
    printer.fail(isOption ? unknownOption(word, [], OPTIONS) : message('core:cli.takesNone', { command: name, word }));
    return EXIT.usage;
  }
  if (name === 'login') return login(globals, io, printer);
  if (name === 'logout') return logout(io, printer);
  const session = await openSession(globals, io);
  return new Execution(registry, globals, io, printer, session).undo();
}

/** Says what words that are no command of the terminal may have been meant to be, or that only the console has it. */
function unknown(words: readonly string[], registry: Registry, printer: Printer): ExitCode {
  const [noun = ''] = words;
  const here = registryHere(registry);
  const isNoun = (known: Registry): boolean => known.commands.some((command) => command.noun === noun);
  if (isNoun(registry) && !isNoun(here)) printer.fail(message('core:cli.consoleOnly', { command: noun }));
  else explain(words, parseArgv(words, here, undefined, ALSO), printer);
  return EXIT.usage;
}

const OPTIONS: readonly string[] = Object.keys(GLOBALS).map((name) => `--${name}`);
const ALSO: readonly string[] = [...OWN, ...OPTIONS];

function explain(words: readonly string[], line: ParsedLine, printer: Printer): void {
  // A secret that was typed after all is not repeated: errors end up in logs.
  const text = hasSecret(line) ? '' : words.map(shellQuote).join(' ');
  for (const { from, to, message: sentence, param } of line.problems) {
    const argument = line.command && param !== undefined ? { argument: argumentName(line.command, param) } : {};
    printer.fail(sentence, { mark: pointAt(text, from, to), ...argument });
  }
}

function hasSecret({ command, words }: ParsedLine): boolean {
  return words.some(({ role, param }) => {
    const of = param === undefined ? undefined : command?.params[param];
    return role === 'value' && (of?.kind === 'secret' || (of?.kind === 'pairs' && of.hidden));
  });
}

/** Reads the words; `-` is all of standard input and `@name` a file. */
async function parse(words: readonly string[], io: Io, registry: Registry): Promise<ParsedLine> {
  const input = words.includes('-') && !io.interactive ? await io.readInput() : undefined;
  return parseArgv(words, registry, (source) => (source === '-' ? input : io.readFile(source.slice(1))), ALSO);
}

/** The line with what is wrong marked under it; nothing for a line that is wrong as a whole, or not to be shown. */
function pointAt(line: string, from: number, to: number): string {
  return line !== '' && to > from && !line.includes('\n')
    ? `${line}\n${' '.repeat(from)}${'^'.repeat(to - from)}\n`
    : '';
}
