import { Code, ConnectError } from '@connectrpc/connect';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

import { CommandError } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { connect, findLogin, isServerAddress } from './connection.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';
import { removeLogin, writeLogin, type Login } from './login-file.ts';
import type { Globals } from './options.ts';
import type { Printer } from './printer.ts';
import { WrongLine } from './wrong-line.ts';

/**
 * Stores a server and a token for later runs, after the server has accepted the token. Prompts for both on a terminal;
 * otherwise reads them from standard input, which keeps the token out of the shell's history: address and token on a
 * line each, or the token alone.
 */
export async function login(globals: Globals, io: Io, printer: Printer): Promise<ExitCode> {
  const known = findLogin(globals, io);
  const given = io.interactive ? await askBoth(globals, known.server, io, printer) : await readBoth(globals, io);
  const server = globals.server ?? (given.server || known.server);
  const token = globals.token ?? given.token;
  if (!token) throw new WrongLine(message('core:cli.login.noToken'));
  const user = await whoseToken({ server, token }, io.signal);
  const path = writeLogin(io, { server, token });
  printer.note(message('core:cli.login.done', { name: user.name || user.email || user.id, server, path }));
  return EXIT.ok;
}

/** @throws CommandError naming the server that cannot be reached, which no option has named. */
async function whoseToken(login: Login, signal: AbortSignal) {
  const { server } = login;
  try {
    return await connect(login)(CurrentUserService).currentUser({}, { signal });
  } catch (error) {
    const isAway = error instanceof ConnectError && error.code === Code.Unavailable;
    throw isAway ? new CommandError(message('core:cli.unreachable', { server })) : error;
  }
}

interface Given {
  readonly server?: string;
  readonly token?: string;
}

/** Asks for what no option names; an empty answer to the first question keeps the server it names. */
async function askBoth(globals: Globals, known: string, io: Io, printer: Printer): Promise<Given> {
  const ask = async (question: Message, hidden: boolean): Promise<string> =>
    (await io.ask(`${printer.say(question)} `, { hidden })).trim();
  const askServer = async (): Promise<string> => {
    for (;;) {
      const server = await ask(message('core:cli.login.server', { server: known }), false);
      if (server === '' || isServerAddress(server)) return server;
      printer.error(message('core:cli.login.notAnAddress', { server }));
    }
  };
  const server = globals.server ?? (await askServer());
  return { server, token: globals.token ?? (await ask(message('core:cli.login.token'), true)) };
}

/** What options leave open, from standard input. A line that is no address is never repeated: it may be the token. */
async function readBoth(globals: Globals, io: Io): Promise<Given> {
  const isServerKnown = globals.server !== undefined || Boolean(io.env['QUARTERDECK_SERVER']);
  if (globals.token !== undefined && isServerKnown) return {};
  const lines = (await io.readInput()).split(/\r?\n/).map((line) => line.trim());
  const [first = '', second, ...more] = lines.filter((line) => line !== '');
  if (more.length > 0) throw new WrongLine(message('core:cli.login.lines'));
  if (second === undefined) return isServerAddress(first) ? { server: first } : { token: first };
  if (!isServerAddress(first)) throw new WrongLine(message('core:cli.login.firstLine'));
  return { server: first, token: second };
}

export function logout(io: Io, printer: Printer): ExitCode {
  printer.note(message(removeLogin(io) ? 'core:cli.logout.done' : 'core:cli.logout.none'));
  return EXIT.ok;
}
