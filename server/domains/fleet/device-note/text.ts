import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/**
 * Reads the text of a note. Keeps its lines, without spaces around the text. A note with files, such as photos, needs
 * no text.
 */
export function readMessage(text: string, hasFiles: boolean): string {
  const trimmedText = text.replaceAll('\r\n', '\n').trim();
  if (trimmedText === '' && !hasFiles) throw invalidArgument('A note without files needs a text. Enter one.');
  return trimmedText;
}

/** Reads the name of a guide or a step. Null if there is none. */
export function readName(text: string | undefined, subject: string): string | null {
  return readEnteredText(text ?? '', subject, MAX_LENGTH.guide) || null;
}
