import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { FileContent } from '#commands/model/files.ts';
import { message } from '#commands/text/message.ts';
import type { File } from '#proto/gen/hiber/file_pb.ts';

/** Raster images, which cannot contain scripts. */
const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Returns the link of an image that is stored on the server. */
export const imageLink = ({ mediaType, link, content }: File): string | undefined =>
  IMAGE_TYPES.includes(mediaType) && content.case !== 'url' && link !== '' ? link : undefined;

/** True if the text means the file: its identifier, or its name in any case. */
export const isNamed = ({ identifier, name }: File, text: string): boolean =>
  identifier === text || name.toLowerCase() === text.trim().toLowerCase();

/**
 * Finds the file that the text means among an item's files.
 *
 * @throws CommandError if there is none, or if several files have that name
 */
export function findFile(files: readonly File[], text: string): File {
  const found = files.filter((file) => isNamed(file, text));
  const [file] = found;
  if (file === undefined) throw new CommandError(message('common:files.none', { name: text }), 'file');
  if (found.length === 1) return file;
  const identifiers = found.map(({ identifier }) => identifier).join(', ');
  throw new CommandError(message('common:files.several', { name: text, identifiers }), 'file');
}

/**
 * Creates an identifier for a new file, so undo can name it. It isn't secret: reading a file takes a permission, and
 * its link has a random part that the server chooses.
 */
export function createIdentifier({ now }: Context): string {
  const digits = (): string => Math.random().toString(36).slice(2).padEnd(10, '0');
  return `file-${now().getTime().toString(36)}-${digits()}${digits()}`;
}

/** The size up to which a file is part of the call that attaches it. A call can have 4 MB (contract: Conventions). */
export const MAX_INLINE_BYTES = 3 * 1024 * 1024;

/** The endings of names that have none (contract: File.name carries no type). */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/csv': 'csv',
};

/** Returns a file's content with a name that programs recognize. */
export function toContent({ name, mediaType }: Pick<File, 'name' | 'mediaType'>, bytes: Uint8Array): FileContent {
  const ending = /\.\w{1,8}$/.test(name) ? undefined : ENDINGS[mediaType];
  return { name: ending === undefined ? name : `${name}.${ending}`, mediaType, bytes };
}
