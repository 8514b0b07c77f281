import { Code, ConnectError } from '@connectrpc/connect';

import type { FilesHost, FileUpload } from '#commands/model/host.ts';
import { getBearer } from '#src/auth/session.ts';
import { API_URL, CLIENT_NAME, CLIENT_VERSION } from '#src/net/config.ts';

import { saveFile } from './save-file.ts';

/** Sends, receives, and saves files. They travel over plain HTTP, with the same token as calls. */
export const filesHost: FilesHost = { upload, fetch: fetchFile, save: async (content) => save(content) };

/** The token is only for the API, so a link to anywhere else is an error. */
function addressOf(path: string): URL {
  const address = new URL(path, API_URL);
  if (address.origin === new URL(API_URL).origin) return address;
  throw new ConnectError(`The file is on another server, ${address.origin}.`, Code.FailedPrecondition);
}

async function headers(): Promise<Record<string, string>> {
  const token = await getBearer();
  if (token === undefined) throw new ConnectError('You are not signed in.', Code.Unauthenticated);
  return {
    authorization: `bearer ${token}`,
    'x-client-name': CLIENT_NAME,
    'x-client-version': CLIENT_VERSION,
  };
}

async function fetchFile(link: string, signal: AbortSignal): Promise<Uint8Array> {
  const init = { headers: await headers(), signal, redirect: 'error' } as const;
  const response = await fetch(addressOf(link), init).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable();
  });
  if (!response.ok) throw serverError(response.status, await response.text());
  return new Uint8Array(await response.arrayBuffer());
}

/** Uses XMLHttpRequest, because `fetch` doesn't report how much it has sent. */
async function upload(
  { organization, identifier, isDraft, name, mediaType, bytes }: FileUpload,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const address = addressOf(`/files/${encodeURIComponent(organization)}`);
  address.search = new URLSearchParams({ name, identifier, ...(isDraft ? { draft: 'true' } : {}) }).toString();
  const entries = Object.entries({ ...(await headers()), 'content-type': mediaType });
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = (): void => request.abort();
    request.open('POST', address);
    for (const [header, value] of entries) request.setRequestHeader(header, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () =>
      request.status < 300 ? resolve() : reject(serverError(request.status, request.responseText)),
    );
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('abort', () => reject(signal.reason as Error));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', cancel));
    signal.addEventListener('abort', cancel);
    request.send(bytes as Uint8Array<ArrayBuffer>);
  });
}

const unreachable = (): ConnectError => new ConnectError("The server can't be reached.", Code.Unavailable);

const codes: Readonly<Record<number, Code>> = {
  400: Code.InvalidArgument,
  401: Code.Unauthenticated,
  403: Code.PermissionDenied,
  404: Code.NotFound,
  413: Code.ResourceExhausted,
};

/** Reads the server's error, which is JSON with a message. */
function serverError(status: number, text: string): ConnectError {
  let reason = '';
  try {
    reason = (JSON.parse(text) as { readonly message?: string }).message ?? '';
  } catch {
    // A proxy answered, with its own text.
  }
  return new ConnectError(reason || `The server answered with status ${status}.`, codes[status] ?? Code.Unknown);
}

function save({ name, mediaType, bytes }: Parameters<FilesHost['save']>[0]): string {
  saveFile(name, [bytes as Uint8Array<ArrayBuffer>], mediaType);
  return name;
}
