import { createTranslator, translateWith } from '../i18n.ts';
import * as resources from '../locales/resources.ts';
import { CommandError, failureOf, isAbort } from '../core/errors.ts';
import { optionName, parseArgv, type ParsedLine } from '../core/line.ts';
import { message } from '../core/message.ts';
import type { Registry } from '../core/registry.ts';
import { shellQuote } from '../core/shell.ts';
import { IncompleteLine } from './ask.ts';
import { findLogin, NotSignedIn, openSession } from './connection.ts';
import { Execution } from './execute.ts';
import { Help } from './help.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';
import { login, logout } from './login.ts';
import { splitGlobals } from './options.ts';
import { Printer } from './printer.ts';

/** Runs a command line over a registry; resolves to the exit code and never rejects. */
export async function cli(argv: readonly string[], io: Io, registry: Registry): Promise<ExitCode> {
  const { env } = io;
  const translator = await createTranslator(env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en', resources);
  const printer = new Printer(io, registry, translateWith(translator));
  try {
    return await dispatch(argv, io, registry, printer);
  } catch (error) {
    if (isAbort(error) || io.signal.aborted) {
      printer.error(message('core:cli.interrupted'));
      return EXIT.interrupted;
    }
    const { code, message: said } = failureOf(error);
    const param = error instanceof CommandError && error.param !== undefined ? `${optionName(error.param)}: ` : '';
    printer.error(`${param}${printer.say(said)}`);
    if (code === 'unavailable') {
      const { server } = findLogin(splitGlobals(argv).globals, io);
      printer.error(message('core:cli.unreachable', { server }));
    }
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
  const help = new Help(registry, printer.say, io.columns);
  if (globals.help || words.length === 0 || words[0] === 'help') {
    io.out(help.about(words[0] === 'help' ? words.slice(1) : words));
    return EXIT.ok;
  }
  if (words[0] === 'login' && words.length === 1) return login(globals, io, printer);
  if (words[0] === 'logout' && words.length === 1) return logout(io, printer);
  const { command, invocation, problems } = await parse(words, io, registry);
  if (!command || !invocation) {
    const line = words.map(shellQuote).join(' ');
    for (const { from, to, message: said } of problems) printer.error(`${pointAt(line, from, to)}${printer.say(said)}`);
    return EXIT.usage;
  }
  const session = await openSession(globals, io);
  return new Execution(registry, globals, io, printer, session).of(command, invocation.args);
}

/** Reads the words; `-` is all of standard input and `@name` a file. */
async function parse(words: readonly string[], io: Io, registry: Registry): Promise<ParsedLine> {
  const input = words.includes('-') && !io.interactive ? await io.readInput() : undefined;
  return parseArgv(words, registry, (source) => (source === '-' ? input : io.readFile(source.slice(1))));
}

/** The line with what is wrong marked under it; nothing for a line that is wrong as a whole. */
function pointAt(line: string, from: number, to: number): string {
  return to > from && !line.includes('\n') ? `${line}\n${' '.repeat(from)}${'^'.repeat(to - from)}\n` : '';
}
