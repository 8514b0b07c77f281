import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';

import { requireCapability, type RunContext } from '#commands/model/context.ts';
import type { FileContent } from '#commands/model/files.ts';
import { type File, FileSchema } from '#proto/gen/hiber/file_pb.ts';

import type { CallContext } from './bulk-action.ts';
import { createIdentifier, MAX_INLINE_BYTES } from './file-item.ts';

/**
 * Stores a file in each organization, over plain HTTP, before anything refers to it. So if the user cancels that, or if
 * it fails, the run ends as a whole, and no item has changed. If the run fails afterwards, the server deletes the file.
 * Other servers of the contract may have no address for files, and get those that fit in a request with the contract's
 * rpc, which keeps them.
 *
 * @returns the identifier of the file, which is the same in each organization
 */
export async function uploadFile(
  context: RunContext,
  organizations: readonly string[],
  content: FileContent,
): Promise<string> {
  const identifier = createIdentifier(context);
  for (const organization of organizations) {
    try {
      await upload(context, [organization], identifier, content);
    } catch (error) {
      if (!hasNoAddress(error) || content.bytes.byteLength > MAX_INLINE_BYTES) throw error;
      const { FileService } = await import('#proto/gen/hiber/file_pb.ts');
      const { name, mediaType, bytes: value } = content;
      const file = { identifier, name, mediaType, content: { case: 'dataRaw' as const, value } };
      // Never aborts, because the outcome of an aborted write is unknown.
      await context.api(FileService).upload({ organization, file });
    }
  }
  return identifier;
}

/** True for an error that may mean that the server has no address for files. A browser can't say more about them. */
const hasNoAddress = (error: unknown): boolean =>
  error instanceof ConnectError && [Code.NotFound, Code.Unavailable, Code.Unknown].includes(error.code);

/**
 * Stores a file that is too large to be part of a request in each organization, as {@link uploadFile} does.
 *
 * @returns the organizations that have the file
 */
export async function uploadLarge(
  context: RunContext,
  organizations: readonly string[],
  identifier: string,
  content: FileContent,
): Promise<Set<string>> {
  if (content.bytes.byteLength <= MAX_INLINE_BYTES) return new Set();
  await upload(context, organizations, identifier, content);
  return new Set(organizations);
}

async function upload(
  context: RunContext,
  organizations: readonly string[],
  identifier: string,
  content: FileContent,
): Promise<void> {
  const host = requireCapability(context, 'files');
  const total = organizations.length * 100;
  for (const [index, organization] of organizations.entries()) {
    context.stop.throwIfAborted();
    const onProgress = (fraction: number) => context.progress({ done: index * 100 + Math.floor(fraction * 99), total });
    await host.upload({ ...content, organization, identifier, isDraft: true }, context.stop, onProgress);
  }
}

/** Sends the content only once per organization: later calls refer to the stored file. */
export function fileSender(storedIn: Set<string>, identifier: string, { name, mediaType, bytes }: FileContent) {
  return async ({ organization }: CallContext, attach: (file: File) => Promise<void>): Promise<void> => {
    const isInline = !storedIn.has(organization);
    await attach(
      create(FileSchema, {
        identifier,
        ...(isInline ? { name, mediaType, content: { case: 'dataRaw', value: bytes } } : {}),
      }),
    );
    storedIn.add(organization);
  };
}
