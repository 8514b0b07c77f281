import type { File, GetFile_Request } from '#proto/gen/hiber/file_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { presentBytes } from '#server/wire/present.ts';

import { fileSizeError, readAll, sizeOf } from './content.ts';
import type { FileRow } from './files.ts';

/** The largest content in a response. As bytes and as hexadecimal digits, it takes three times as much. */
const MAX_ENCODED_BYTES = 8 * 1024 * 1024;

/**
 * Reads the content in the requested encoding, by default as BytesOrHex.
 *
 * @throws ConnectError RESOURCE_EXHAUSTED if it is too large for a call
 */
export async function encodeContent(
  db: Executor,
  { organization, name, mediaType }: FileRow,
  content: string,
  { case: encoding, value: isRequested }: GetFile_Request['dataFormatted'],
): Promise<File['content']> {
  if ((await sizeOf(db, organization, content)) > MAX_ENCODED_BYTES) {
    throw fileSizeError(`The file "${name}" is too large for a call. Download it from its link.`);
  }
  const bytes = await readAll(db, organization, content);
  switch (isRequested ? encoding : undefined) {
    case 'dataFormattedHex':
      return { case: 'dataFormattedHex', value: bytes.toString('hex').toUpperCase() };
    case 'dataFormattedBase64':
      return { case: 'dataFormattedBase64', value: bytes.toString('base64') };
    case 'dataUri':
      return { case: 'dataUri', value: `data:${mediaType};base64,${bytes.toString('base64')}` };
    case 'dataRaw':
      return { case: 'dataRaw', value: bytes };
    default:
      return { case: 'data', value: presentBytes(bytes) };
  }
}
