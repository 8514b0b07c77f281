import { CurrentUserService } from '#proto/hiber/current_user_pb';

import { CommandError } from '../core/errors.ts';
import { message } from '../core/message.ts';
import { connect, findLogin } from './connection.ts';
import { EXIT, type ExitCode, type Io } from './io.ts';
import { removeLogin, writeLogin } from './login-file.ts';
import type { Globals } from './options.ts';
import type { Printer } from './printer.ts';

/**
 * Keeps a server and a token for later runs, once the server has said whose the token is. Both are asked for where a person can answer; a token may
 * also come on standard input, so that it is in no history.
 */
export async function login(globals: Globals, io: Io, printer: Printer): Promise<ExitCode> {
  const found = findLogin(globals, io);
  const asked = io.interactive && globals.server === undefined;
  const question = message('core:cli.login.server', { server: found.server });
  const server = (asked ? (await io.ask(`${printer.say(question)} `)).trim() : '') || found.server;
  const token = globals.token ?? (await readToken(io, printer));
  if (!token) throw new CommandError(message('core:cli.login.noToken'));
  const user = await connect({ server, token })(CurrentUserService).currentUser({}, { signal: io.signal });
  const path = writeLogin(io, { server, token });
  printer.note(message('core:cli.login.done', { name: user.name || user.email || user.id, server, path }));
  return EXIT.ok;
}

async function readToken(io: Io, printer: Printer): Promise<string> {
  const text = io.interactive
    ? await io.ask(`${printer.say(message('core:cli.login.token'))} `, { hidden: true })
    : await io.readInput();
  return text.trim();
}

export function logout(io: Io, printer: Printer): ExitCode {
  printer.note(message(removeLogin(io) ? 'core:cli.logout.done' : 'core:cli.logout.none'));
  return EXIT.ok;
}
