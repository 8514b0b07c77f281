import { Code, ConnectError } from '@connectrpc/connect';

import { CommandError } from '#commands/model/errors.ts';
import type { FilesHost } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';

import { CLIENT_NAME, CLIENT_VERSION, type Session, withoutSlash } from './connection.ts';
import type { Io } from './io.ts';

/** Sends and receives files over plain HTTP, and saves them in the current folder. */
export function filesHost({ server, token }: Pick<Session, 'server' | 'token'>, io: Io): FilesHost {
  const headers = {
    authorization: `bearer ${token}`,
    'x-client-name': CLIENT_NAME,
    'x-client-version': CLIENT_VERSION,
  };
  const addressOf = (path: string): URL => {
    const address = new URL(path, `${withoutSlash(server)}/`);
    if (address.origin === new URL(server).origin) return address;
    // The token is only for the server that issued it.
    throw new CommandError(message('common:files.otherServer', { address: address.origin }));
  };
  return {
    upload: async ({ organization, identifier, isDraft, name, mediaType, bytes }, signal) => {
      const address = addressOf(`/files/${encodeURIComponent(organization)}`);
      address.search = new URLSearchParams({ name, identifier, ...(isDraft ? { draft: 'true' } : {}) }).toString();
      const init = {
        method: 'POST',
        headers: { ...headers, 'content-type': mediaType },
        body: bytes as Uint8Array<ArrayBuffer>,
      };
      await send(address, { ...init, signal });
    },
    fetch: async (link, signal) => {
      const response = await send(addressOf(link), { headers, signal, redirect: 'error' });
      return new Uint8Array(await response.arrayBuffer());
    },
    save: async ({ name, bytes }) => {
      const path = fileName(name);
      if (!io.writeBytes(path, bytes)) throw new CommandError(message('common:files.exists', { name: path }));
      return path;
    },
  };
}

/** A name from the server must not lead out of the folder, or hide the file. */
const fileName = (name: string): string => name.replaceAll(/[/\\:\p{Cc}]/gu, '_').replace(/^\.+/, '_') || 'file';

/** Throws ConnectErrors, as rpcs do. */
async function send(address: URL, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init).catch((error: unknown) => {
    // Fetch reports every problem with the connection as a TypeError.
    throw error instanceof TypeError ? new ConnectError(error.message, Code.Unavailable) : error;
  });
  if (response.ok) return response;
  const { message: reason = response.statusText } = (await response.json().catch(() => ({}))) as { message?: string };
  throw new ConnectError(reason, codes[response.status] ?? Code.Unknown);
}

/** The codes of the server's errors, by HTTP status. */
const codes: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  413: Code.ResourceExhausted,
};
