import { create } from '@bufbuild/protobuf';

import { requireCapability, type RunContext } from '#commands/model/context.ts';
import type { FileContent } from '#commands/model/files.ts';
import { type File, FileSchema } from '#proto/gen/hiber/file_pb.ts';

import type { CallContext } from './bulk-action.ts';
import { createIdentifier, MAX_INLINE_BYTES } from './file-item.ts';

/**
 * Stores a large file in each organization, over plain HTTP, before anything refers to it. So if the user cancels that,
 * or if it fails, the run ends as a whole, and no item has changed.
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
  const total = organizations.length * 100;
  for (const [index, organization] of organizations.entries()) {
    const onProgress = (fraction: number) => context.progress({ done: index * 100 + Math.floor(fraction * 99), total });
    await requireCapability(context, 'files').upload(
      { ...content, organization, identifier },
      context.stop,
      onProgress,
    );
  }
  return new Set(organizations);
}

/**
 * Stores a file in each organization, for requests that can only refer to stored files.
 *
 * @returns the identifier of the file, which is the same in each organization
 */
export async function uploadFile(
  context: RunContext,
  organizations: readonly string[],
  content: FileContent,
): Promise<string> {
  const identifier = createIdentifier(context);
  const storedIn = await uploadLarge(context, organizations, identifier, content);
  const { FileService } = await import('#proto/gen/hiber/file_pb.ts');
  const { name, mediaType, bytes: value } = content;
  const file = { identifier, name, mediaType, content: { case: 'dataRaw' as const, value } };
  for (const organization of organizations) {
    if (storedIn.has(organization)) continue;
    context.stop.throwIfAborted();
    // Never aborts, because the outcome of an aborted write is unknown.
    await context.api(FileService).upload({ organization, file });
  }
  return identifier;
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
