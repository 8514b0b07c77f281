import type { IncomingMessage, ServerResponse } from 'node:http';

import { Code, type ConnectError } from '@connectrpc/connect';
import { codeToHttpStatus, errorToJson } from '@connectrpc/connect/protocol-connect';

import { ExportService } from '#proto/gen/hiber/export_pb.ts';
import { FileService } from '#proto/gen/hiber/file_pb.ts';
import type { App } from '#server/app/app.ts';
import { EXPORTS_FOLDER } from '#server/domains/data/export/present.ts';
import { FILES_PATH } from '#server/domains/data/file/files.ts';
import { corsFor } from '#server/http/connection/cors.ts';
import type { NodeRequest, NodeResponse } from '#server/http/connection/node.ts';
import { respond } from '#server/http/connection/rejection.ts';
import { toConnectError } from '#server/http/rpc/errors.ts';
import { policyOf } from '#server/http/rpc/policy-of.ts';
import { type BodyTimeouts, defaultTimeouts } from '#server/http/rpc/request-body.ts';
import { closeWhenAnswered } from '#server/http/rpc/rpc.ts';
import { runForCaller } from '#server/session/rest.ts';

import { sendExport, sendFile } from './download.ts';
import { receiveFile } from './upload.ts';

/** The headers of every response: no browser runs, stores, or embeds a file. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
  'x-robots-tag': 'noindex',
};

/**
 * Answers requests for files. Returns false for any other path.
 *
 * - `GET` and `HEAD /files/{organization}/{key}` send the content of a file (contract: File.link).
 * - `GET` and `HEAD /files/{organization}/exports/{key}` send a file of an export (contract: Export.File.url).
 * - `POST /files/{organization}?name=…` receives one: the body is the content, and `content-type` its media type.
 *   `identifier` and `expires_at` (RFC 3339) are optional. With `draft=true`, it is deleted after a day unless
 *   something, such as a note, refers to it by then.
 *
 * The caller authenticates as for an rpc, with a header. A browser never sends it by itself, so another site can't use
 * the caller's session.
 */
export type FileRoute = (request: NodeRequest, response: NodeResponse, path: string) => boolean;

export function fileRoute(app: App, timeouts: BodyTimeouts = defaultTimeouts): FileRoute {
  const cors = corsFor(app.config.corsOrigins);
  return (request, response, path) => {
    if (!path.startsWith(FILES_PATH)) return false;
    closeWhenAnswered(request);
    if (cors(request, response)) return true;
    // HTTP/1.1 and HTTP/2 objects share these members.
    void answer(app, timeouts, request as IncomingMessage, response as ServerResponse, path);
    return true;
  };
}

async function answer(
  app: App,
  timeouts: BodyTimeouts,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const segments = path.slice(FILES_PATH.length).split('/').map(decode);
  const isExport = segments.length === 3 && segments[1] === EXPORTS_FOLDER;
  const [organization = '', key, ...rest] = isExport ? segments.toSpliced(1, 1) : segments;
  const isUpload = request.method === 'POST' && key === undefined;
  const isDownload = (request.method === 'GET' || request.method === 'HEAD') && key !== undefined && rest.length === 0;
  if (!isUpload && !isDownload) {
    const allow = key === undefined ? 'POST' : 'GET, HEAD';
    return respond(response, 405, { allow });
  }
  const hangUp = new AbortController();
  response.once('close', () => hangUp.abort(new Error('The caller hung up.')));
  const method = isUpload ? FileService.method.upload : isExport ? ExportService.method.list : FileService.method.get;
  const call = { method, headers: readHeaders(request), organization, signal: hangUp.signal };
  try {
    await runForCaller(app, policyOf, call, (access) =>
      isDownload
        ? (isExport ? sendExport : sendFile)(app, access, key, request, response)
        : receiveFile(app, access, request, response, { timeouts, signal: hangUp.signal }),
    );
  } catch (error) {
    const shown = toConnectError(app.log, isUpload ? 'files.upload' : 'files.download', hangUp.signal, error);
    if (response.headersSent) response.destroy();
    else refuse(response, shown, (isUpload ? uploadStatus[shown.code] : undefined) ?? codeToHttpStatus(shown.code));
  }
}

/** The statuses of an upload that say more than those of an rpc: the body is too large, or encoded. */
const uploadStatus: Partial<Record<Code, number>> = { [Code.ResourceExhausted]: 413, [Code.Unimplemented]: 415 };

function refuse(response: ServerResponse, error: ConnectError, status: number): void {
  const headers = { 'content-type': 'application/json' };
  respond(response, status, headers, JSON.stringify(errorToJson(error, undefined)));
}

/** Decodes a segment of a path; one that isn't valid names nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

function readHeaders({ headers }: IncomingMessage): Headers {
  const entries = ['authorization', 'user-agent', 'x-client-name', 'x-client-version'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Headers(entries);
}
