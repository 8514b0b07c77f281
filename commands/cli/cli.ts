import { createTranslator, translateWith } from '../i18n.ts';
import * as resources from '../locales/resources.ts';
import { CommandError, failureOf, isAbort } from '../core/errors.ts';
import { optionName, parseArgv, type ParsedLine } from '../core/line.ts';
import { unknownOption } from '../core/line-head.ts';
import { message } from '../core/message.ts';
import type { Registry } from '../core/registry.ts';
import { shellQuote } from '../core/shell.ts';
import { IncompleteLine } from './ask.ts';
import { findLogin, NotSignedIn, openSession } from './connection.ts';
import { Execution } from './execute.ts';
import { Help } from './help.ts';
import { registryHere, runsHere } from './here.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';
import { login, logout } from './login.ts';
import { GLOBALS, splitGlobals, type Globals } from './options.ts';
import { isOwn, OWN, type OwnCommand } from './own.ts';
import { Printer } from './printer.ts';
import { VERSION } from './version.ts';

/** Runs a command line over a registry; resolves to the exit code and never rejects. */
export async function cli(argv: readonly string[], io: Io, registry: Registry): Promise<ExitCode> {
  const { env } = io;
  const translator = await createTranslator(env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en', resources);
  const printer = new Printer(io, registry, translateWith(translator), translator.language);
  try {
    return await dispatch(argv, io, registry, printer);
  } catch (error) {
    if (isAbort(error) || io.signal.aborted) {
      printer.error(message('core:cli.interrupted'));
      return EXIT.interrupted;
    }
    const { code, message: said } = failureOf(error);
    if (code === 'unavailable') {
      const { server } = findLogin(splitGlobals(argv).globals, io);
      printer.error(message('core:cli.unreachable', { server }));
      return EXIT.failed;
    }
    const param = error instanceof CommandError && error.param !== undefined ? `${optionName(error.param)}: ` : '';
    printer.error(`${param}${printer.say(said)}`);
    return exitOf(error, code);
  }
}

function exitOf(error: unknown, code: string): ExitCode {
  if (error instanceof NotSignedIn || code === 'permission_denied' || code === 'unauthenticated')
    return EXIT.notPermitted;
  const isUsage = error instanceof IncompleteLine || (error instanceof CommandError && error.param !== undefined);
  return isUsage ? EXIT.usage : EXIT.failed;
}

async function dispatch(argv: readonly string[], io: Io, registry: Registry, printer: Printer): Promise<ExitCode> {
  const { globals, words, problem } = splitGlobals(argv);
  if (problem) {
    printer.error(problem);
    return EXIT.usage;
  }
  if (globals.version) {
    io.out(`${VERSION}\n`);
    return EXIT.ok;
  }
  const [first] = words;
  if (globals.help || first === undefined || first === 'help') {
    const about = first === 'help' ? words.slice(1) : words;
    const page = new Help(registry, printer.say, io.columns).about(about);
    if (page === undefined) return unknown(about, registry, printer);
    io.out(page);
    return EXIT.ok;
  }
  if (isOwn(first)) return own(first, words.slice(1), globals, io, registry, printer);
  const { command, invocation, problems } = await parse(words, io, registry);
  if (!command) return unknown(words, registry, printer);
  if (!runsHere(command)) {
    printer.error(message('core:cli.consoleOnly', { command: command.id.replace('.', ' ') }));
    return EXIT.usage;
  }
  if (!invocation) {
    explain(words, problems, printer);
    return EXIT.usage;
  }
  const session = await openSession(globals, io);
  return new Execution(registry, globals, io, printer, session).of(command, invocation.args);
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
    printer.error(isOption ? unknownOption(word, [], OPTIONS) : message('core:cli.takesNone', { command: name, word }));
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
  const isNoun = (of: Registry): boolean => of.commands.some((each) => each.noun === noun);
  if (isNoun(registry) && !isNoun(here)) printer.error(message('core:cli.consoleOnly', { command: noun }));
  else explain(words, parseArgv(words, here, undefined, ALSO).problems, printer);
  return EXIT.usage;
}

const OPTIONS: readonly string[] = Object.keys(GLOBALS).map((name) => `--${name}`);
const ALSO: readonly string[] = [...OWN, ...OPTIONS];

function explain(words: readonly string[], problems: ParsedLine['problems'], printer: Printer): void {
  const line = words.map(shellQuote).join(' ');
  for (const { from, to, message: said } of problems) printer.error(`${pointAt(line, from, to)}${printer.say(said)}`);
}

/** Reads the words; `-` is all of standard input and `@name` a file. */
async function parse(words: readonly string[], io: Io, registry: Registry): Promise<ParsedLine> {
  const input = words.includes('-') && !io.interactive ? await io.readInput() : undefined;
  return parseArgv(words, registry, (source) => (source === '-' ? input : io.readFile(source.slice(1))), ALSO);
}

/** The line with what is wrong marked under it; nothing for a line that is wrong as a whole. */
function pointAt(line: string, from: number, to: number): string {
  return to > from && !line.includes('\n') ? `${line}\n${' '.repeat(from)}${'^'.repeat(to - from)}\n` : '';
}
