import { ConnectError } from '@connectrpc/connect';

import { unknownOption } from '#commands/line/line-head.ts';
import { parseArgv, type ParsedLine, type ReadInput } from '#commands/line/line.ts';
import { shellQuote } from '#commands/line/shell.ts';
import { argumentName } from '#commands/line/usage.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { Command } from '#commands/model/command.ts';
import { CommandError, failureOf, isAbort, NothingMatchesError } from '#commands/model/errors.ts';
import type { Registry } from '#commands/registry/registry.ts';
import { decodeText } from '#commands/text/decode.ts';
import { message, type Message } from '#commands/text/message.ts';

import { isBuiltIn, BUILT_IN, type BuiltInCommand } from './built-in.ts';
import { findLogin, NotSignedInError, openSession } from './connection.ts';
import { Execution } from './execute.ts';
import { Help } from './help.ts';
import { EXIT, fileProblemMessage, type ExitCode, type Io } from './io.ts';
import { failureJson, jsonText } from './json.ts';
import { login, logout } from './login.ts';
import { markedLine } from './marked-line.ts';
import { GLOBALS, splitGlobals, type Globals } from './options.ts';
import { Printer } from './printer.ts';
import * as resources from './strings.ts';
import { terminalRegistry, runsInTerminal } from './terminal-commands.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';

/** Runs a command line, using the commands in a registry. Resolves to the exit code, and never rejects. */
export async function cli(argv: readonly string[], terminal: Io, registry: Registry): Promise<ExitCode> {
  const { env } = terminal;
  let hasPrinted = false;
  let input: Promise<Uint8Array> | undefined;
  const io: Io = {
    ...terminal,
    out: (text) => {
      hasPrinted = true;
      terminal.out(text);
    },
    // Several arguments can refer to standard input, which can be read only once.
    readInput: () => (input ??= terminal.readInput()),
  };
  const translator = await createTranslator(env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en', resources);
  const printer = new Printer(io, registry, translateWith(translator), translator.language);
  const { globals } = splitGlobals(argv);
  const run = async (): Promise<ExitCode> => {
    const code = await dispatch(argv, io, registry, printer);
    await io.flush();
    if (io.signal.reason instanceof CommandError) throw io.signal.reason;
    return code;
  };
  const exit = await run().catch((error: unknown) => explainFailure(error, globals, io, printer));
  // The output is a single document. A comparison that ends in a failure has already printed it.
  if (globals.json && printer.reportedFailures.length > 0 && !hasPrinted)
    io.out(jsonText(failureJson(CODES[exit], printer.reportedFailures)));
  return exit;
}

/**
 * Codes for failures that the CLI detects itself, keyed by exit code. If the server rejects a call, the code is the
 * call's status.
 */
const CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.ok]: 'ok',
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'usage',
  [EXIT.someFailed]: 'some_failed',
  [EXIT.notPermitted]: 'permission_denied',
  [EXIT.interrupted]: 'canceled',
};

function explainFailure(error: unknown, globals: Globals, io: Io, printer: Printer): ExitCode {
  const { aborted, reason } = io.signal;
  if (reason instanceof CommandError) {
    printer.fail(reason.userMessage);
    return EXIT.failed;
  }
  if (isAbort(error) || aborted) {
    printer.fail(message('core:cli.interrupted'));
    return EXIT.interrupted;
  }
  const systemMessage = messageOfSystemError(error);
  if (systemMessage) {
    printer.fail(systemMessage);
    return EXIT.failed;
  }
  const { code, message: userMessage } = failureOf(error);
  if (code === 'unavailable') {
    const { server } = findLogin(globals, io);
    printer.fail(message('core:cli.unreachable', { server }), { code });
    return EXIT.failed;
  }
  const connectionProblem = codeOfConnectionProblem(error);
  if (connectionProblem !== undefined) {
    const { server } = findLogin(globals, io);
    printer.fail(message('core:cli.connectionFailed', { server, code: connectionProblem }), { code: 'unavailable' });
    return EXIT.failed;
  }
  const isUnauthenticated = code === 'unauthenticated';
  printer.fail(
    isUnauthenticated ? message('core:cli.login.rejected', { reason: userMessage, program: io.program }) : userMessage,
    codeOf(error, code),
  );
  return exitCodeOf(error, code);
}

/** Returns Node's code if a call failed without a response. A status that the server sent has no such cause. */
function codeOfConnectionProblem(error: unknown): string | undefined {
  if (!(error instanceof ConnectError)) return undefined;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : undefined;
}

/** Returns the message if the system refused access to a file or folder, such as that of the history. */
function messageOfSystemError(error: unknown): Message | undefined {
  const { syscall, path, code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall === undefined || path === undefined ? undefined : message('core:cli.inaccessible', { path, code });
}

/** Returns the machine-readable code that distinguishes failures with the same exit code. */
function codeOf(error: unknown, code: string): { readonly code?: string } {
  if (error instanceof NotSignedInError) return { code: 'unauthenticated' };
  if (error instanceof NothingMatchesError) return { code: 'nothing_matches' };
  return error instanceof CommandError ? {} : { code };
}

/** Statuses for a value in the line that the server rejected, or for an item that it did not find. */
const USAGE_STATUSES: ReadonlySet<string> = new Set(['invalid_argument', 'not_found']);

function exitCodeOf(error: unknown, code: string): ExitCode {
  if (error instanceof NotSignedInError || code === 'permission_denied' || code === 'unauthenticated')
    return EXIT.notPermitted;
  if (error instanceof NothingMatchesError) return EXIT.failed;
  const isUsage =
    error instanceof UsageError ||
    USAGE_STATUSES.has(code) ||
    (error instanceof CommandError && error.param !== undefined);
  return isUsage ? EXIT.usage : EXIT.failed;
}

async function dispatch(argv: readonly string[], io: Io, registry: Registry, printer: Printer): Promise<ExitCode> {
  const { globals, words, problem, argument } = splitGlobals(argv);
  if (problem) {
    printer.fail(problem, argument ? { argument } : {});
    return EXIT.usage;
  }
  if (globals.version) {
    io.out(`${VERSION}\n`);
    return EXIT.ok;
  }
  const [first] = words;
  if (globals.help || first === undefined || first === 'help') {
    const topic = first === 'help' ? words.slice(1) : words;
    const page = new Help(registry, printer.translate, io.program, io.columns).about(topic);
    if (page === undefined) return unknownCommand(topic, registry, printer);
    io.out(page);
    return EXIT.ok;
  }
  if (isBuiltIn(first)) return runBuiltIn(first, words.slice(1), globals, io, registry, printer);
  const line = await parse(words, io, registry);
  const { command, invocation } = line;
  if (!command || !runsInTerminal(command)) return unknownCommand(words, registry, printer);
  if (!invocation) {
    explain(words, line, printer);
    return EXIT.usage;
  }
  const session = await openSession(globals, io);
  try {
    return await new Execution(registry, globals, io, printer, session).run(command, invocation.args);
  } catch (error) {
    if (!(error instanceof CommandError) || error instanceof NothingMatchesError || error.param === undefined)
      throw error;
    explainParam(words, { ...line, command }, error.param, error.userMessage, printer);
    return EXIT.usage;
  }
}

/** Reports an argument that the command rejected while running, and marks it in the line. */
function explainParam(
  words: readonly string[],
  line: ParsedLine & { readonly command: Command },
  param: string,
  problemMessage: Message,
  printer: Printer,
): void {
  const values = line.words.filter((word) => word.role === 'value' && word.param === param);
  const [first, last] = [values[0], values.at(-1)];
  if (first && last)
    explain(words, { ...line, problems: [{ from: first.from, to: last.to, message: problemMessage, param }] }, printer);
  else printer.fail(problemMessage, { argument: argumentName(line.command, param) });
}

/** Runs a command that is not in the registry. These commands accept no arguments. */
async function runBuiltIn(
  name: BuiltInCommand,
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

/** Reports an unknown command with suggestions, or that the command exists only in the console. */
function unknownCommand(words: readonly string[], registry: Registry, printer: Printer): ExitCode {
  const [noun = ''] = words;
  const terminalCommands = terminalRegistry(registry);
  const { command } = parseArgv(words, registry);
  const hasNoun = ({ commands }: Registry): boolean => commands.some((item) => item.noun === noun);
  const isConsoleNoun = hasNoun(registry) && !hasNoun(terminalCommands);
  const consoleName = command ? command.id.replace('.', ' ') : isConsoleNoun && noun;
  if (consoleName) printer.fail(message('core:cli.consoleOnly', { command: consoleName }));
  else if (noun.startsWith('--')) printer.fail(unknownOption(noun, OPTIONS, []));
  else explain(words, parseArgv(words, terminalCommands, undefined, LOCAL_WORDS), printer);
  return EXIT.usage;
}

const OPTIONS: readonly string[] = Object.keys(GLOBALS).map((name) => `--${name}`);
const LOCAL_WORDS: readonly string[] = [...BUILT_IN, ...OPTIONS];

function explain(words: readonly string[], line: ParsedLine, printer: Printer): void {
  // Never repeat a secret from the line because errors end up in logs.
  const text = hasSecret(line) ? '' : words.map(shellQuote).join(' ');
  for (const { from, to, message: problem, param } of line.problems) {
    const argument = line.command && param !== undefined ? { argument: argumentName(line.command, param) } : {};
    const mark = markedLine(text, from, to, printer.columns);
    printer.fail(problem, { ...(mark === '' ? {} : { mark }), ...argument });
  }
}

function hasSecret({ command, words }: ParsedLine): boolean {
  return words.some(({ role, param }) => {
    const definition = param === undefined ? undefined : command?.params[param];
    return role === 'value' && (definition?.kind === 'secret' || (definition?.kind === 'pairs' && definition.hidden));
  });
}

/** Parses the words. Replaces `-` with the content of standard input, and `@name` with the content of a file. */
async function parse(words: readonly string[], io: Io, registry: Registry): Promise<ParsedLine> {
  const input = words.includes('-') && !io.isInteractive ? await io.readInput() : undefined;
  const read: ReadInput = (source) => {
    const path = source === '-' ? source : source.slice(1);
    const bytes = source === '-' ? input : io.readBytes(path);
    if (bytes === undefined) return { problem: message('running:line.noInput') };
    if (typeof bytes === 'string') return { problem: fileProblemMessage(path, bytes) };
    return decodeText(bytes) ?? { problem: fileProblemMessage(path, 'notText') };
  };
  return parseArgv(words, registry, read, LOCAL_WORDS);
}
