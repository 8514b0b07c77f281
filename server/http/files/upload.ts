import type { IncomingMessage, ServerResponse } from 'node:http';

import { create, toJson } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';

import { TimestampSchema } from '#proto/gen/hiber/base_pb.ts';
import { FileSchema } from '#proto/gen/hiber/file_pb.ts';
import type { App } from '#server/app/app.ts';
import { runToCompletion } from '#server/db/pool/work.ts';
import { requireFileSize, storeContent } from '#server/domains/data/file/content.ts';
import { presentFile } from '#server/domains/data/file/files.ts';
import { fileContent } from '#server/domains/data/file/schema.ts';
import { type NewFile, readNewFile, saveFile } from '#server/domains/data/file/store.ts';
import { respond } from '#server/http/connection/rejection.ts';
import { type BodyTimeouts, receive } from '#server/http/rpc/request-body.ts';
import type { CallerAccess } from '#server/session/rest.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { shorten } from '#server/wire/text.ts';

interface Reception {
  readonly timeouts: BodyTimeouts;
  readonly signal: AbortSignal;
}

/** Stores the body of a request as a file, and answers with the file as JSON. */
export async function receiveFile(
  app: App,
  { scope: { organization }, requireStill }: CallerAccess,
  request: IncomingMessage,
  response: ServerResponse,
  { timeouts, signal }: Reception,
): Promise<void> {
  const now = app.now();
  const newFile = readParams(request, now);
  requireUnencoded(request);
  // Reject a Content-Length that is too large before the caller sends anything.
  requireFileSize(Number(request.headers['content-length'] ?? 0));
  const chunks = receive(request, timeouts, () => response.setHeader('connection', 'close'));
  const content = await storeContent(app.db.orm, organization, whileAllowed(chunks, requireStill), now);
  try {
    signal.throwIfAborted();
    await requireStill();
    const row = await app.db.transaction((tx) => saveFile(tx, organization, newFile, { content }, now));
    const body = JSON.stringify(toJson(FileSchema, presentFile(row)));
    respond(response, 201, { 'content-type': 'application/json' }, body);
  } catch (error) {
    await runToCompletion(() => app.db.orm.delete(fileContent).where(eq(fileContent.id, content.id)));
    throw error;
  }
}

/** Passes chunks on while the caller may store them. A slow sender can take longer than their access lasts. */
async function* whileAllowed(
  chunks: AsyncIterable<Uint8Array>,
  requireStill: CallerAccess['requireStill'],
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await requireStill();
    yield chunk;
  }
}

/** How long a draft is kept, so the user has a day to repeat what failed after the upload. */
const DRAFT_MS = 24 * 60 * 60_000;

/** What a request can say about its file. Anything else is rejected, as unknown fields of an rpc are. */
const PARAMS: ReadonlySet<string> = new Set(['name', 'identifier', 'expires_at', 'draft']);

function readParams(request: IncomingMessage, now: Date): NewFile {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const unknown = [...searchParams.keys()].find((name) => !PARAMS.has(name));
  if (unknown !== undefined) {
    throw invalidArgument(`The parameter "${shorten(unknown)}" isn't known. Use ${[...PARAMS].join(', ')}.`);
  }
  const expiresAt = searchParams.get('expires_at');
  const draft = searchParams.get('draft') ?? 'false';
  if (draft !== 'true' && draft !== 'false') {
    throw invalidArgument(`draft must be true or false, not "${shorten(draft)}".`);
  }
  const newFile = readNewFile(
    create(FileSchema, {
      identifier: searchParams.get('identifier') ?? '',
      name: searchParams.get('name') ?? '',
      mediaType: request.headers['content-type'] ?? '',
      expiresAt: expiresAt === null ? undefined : create(TimestampSchema, { textual: expiresAt }),
    }),
    now,
  );
  return draft === 'true' ? { ...newFile, draftUntil: new Date(now.getTime() + DRAFT_MS) } : newFile;
}

/** Rejects a compressed body: stored as it is, it wouldn't be the file that its name and type promise. */
function requireUnencoded({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw new ConnectError(
    `The content-encoding "${shorten(encoding)}" isn't supported. Send the file uncompressed.`,
    Code.Unimplemented,
  );
}
