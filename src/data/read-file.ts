import { CommandError } from '#commands/model/errors.ts';
import { fileSizeProblem, fileValue, mediaTypeOf } from '#commands/model/files.ts';
import { message } from '#commands/text/message.ts';

/**
 * Reads a file that the user chose, as the value of a param. Doesn't read one that is too large: a video could be
 * larger than the longest text.
 *
 * @throws CommandError if the file is too large or can't be read, like a folder
 */
export async function readFile(file: File, maxBytes: number): Promise<string> {
  const problem = fileSizeProblem(file.name, file.size, maxBytes);
  if (problem) throw new CommandError(problem);
  // Half a character, which some file systems permit, can't be sent.
  const name = file.name.replaceAll(/\p{Cs}/gu, '_');
  const bytes = await file.arrayBuffer().catch(() => {
    throw new CommandError(message('console:form.fileUnread', { name }));
  });
  return fileValue({ name, mediaType: file.type || mediaTypeOf(name), bytes: new Uint8Array(bytes) });
}
