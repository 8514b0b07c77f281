import { Code, ConnectError } from '@connectrpc/connect';

import { CommandError } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

import { connect, findLogin, isServerAddress } from './connection.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';
import { removeLogin, writeLogin, type Login } from './login-file.ts';
import type { Globals } from './options.ts';
import type { Printer } from './printer.ts';
import { UsageError } from './usage-error.ts';

/**
 * Stores a server and a token for later runs, once the server has accepted the token. Values that no option provides
 * come from prompts or, if there is no terminal, from standard input, one per line. Either way, the token stays out of
 * the shell's history.
 */
export async function login(globals: Globals, io: Io, printer: Printer): Promise<ExitCode> {
  const { server: suggestedServer } = findLogin(globals, io);
  const input = io.isInteractive
    ? await promptLogin(globals, suggestedServer, io, printer)
    : await readInputLogin(globals, io);
  const server = globals.server ?? (input.server || suggestedServer);
  const token = globals.token ?? input.token;
  if (!token) throw new UsageError(message('core:cli.login.noToken'));
  const user = await fetchOwner({ server, token }, io.signal);
  const path = writeLogin(io, { server, token });
  printer.note(message('core:cli.login.done', { name: user.name || user.email || user.id, server, path }));
  return EXIT.ok;
}

/**
 * Returns the user that the token belongs to.
 *
 * @throws CommandError that names the address if the server can't be reached, since it may be mistyped
 */
async function fetchOwner(login: Login, signal: AbortSignal) {
  const { server } = login;
  try {
    return await connect(login)(CurrentUserService).currentUser({}, { signal });
  } catch (error) {
    const isUnreachable = error instanceof ConnectError && error.code === Code.Unavailable;
    throw isUnreachable ? new CommandError(message('core:cli.unreachable', { server })) : error;
  }
}

type LoginInput = Partial<Login>;

/** Prompts for the values that no option provides. An empty answer keeps the suggested server. */
async function promptLogin(globals: Globals, suggestedServer: string, io: Io, printer: Printer): Promise<LoginInput> {
  const ask = async (question: Message, hidden: boolean): Promise<string> =>
    (await io.ask(`${printer.translate(question)} `, { hidden })).trim();
  const askServer = async (): Promise<string> => {
    for (;;) {
      const server = await ask(message('core:cli.login.server', { server: suggestedServer }), false);
      if (server === '' || isServerAddress(server)) return server;
      printer.error(message('core:cli.login.notAnAddress', { server }));
    }
  };
  const server = globals.server ?? (await askServer());
  return { server, token: globals.token ?? (await ask(message('core:cli.login.token'), true)) };
}

/**
 * Reads the values that no option provides from standard input. Never prints an invalid URL, which may be the token.
 */
async function readInputLogin(globals: Globals, io: Io): Promise<LoginInput> {
  const hasServer = globals.server !== undefined || Boolean(io.env['QUARTERDECK_SERVER']);
  if (globals.token !== undefined && hasServer) return {};
  const lines = new TextDecoder()
    .decode(await io.readInput())
    .split(/\r?\n/)
    .map((line) => line.trim());
  const [first = '', second, ...extraLines] = lines.filter((line) => line !== '');
  if (extraLines.length > 0) throw new UsageError(message('core:cli.login.lines'));
  if (second === undefined) return isServerAddress(first) ? { server: first } : { token: first };
  if (!isServerAddress(first)) throw new UsageError(message('core:cli.login.firstLine'));
  return { server: first, token: second };
}

export function logout(io: Io, printer: Printer): ExitCode {
  printer.note(message(removeLogin(io) ? 'core:cli.logout.done' : 'core:cli.logout.none'));
  return EXIT.ok;
}
