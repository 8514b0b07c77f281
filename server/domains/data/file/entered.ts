import type { File } from '#proto/gen/hiber/file_pb.ts';
import { readBase64, readHex } from '#server/wire/bytes.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { readTimestamp } from '#server/wire/timestamps.ts';

const MAX_NAME_LENGTH = 255;
const MAX_IDENTIFIER_LENGTH = 200;

/** Reads the bytes or the URL of an uploaded file. Returns neither if the request only references a stored file. */
export function readContent({ content, name }: File): { content?: Uint8Array; url?: string } {
  switch (content.case) {
    case 'data':
      return { content: content.value.bytes ?? fromHex(content.value.hex ?? '', name) };
    case 'dataRaw':
      return { content: content.value };
    case 'dataFormattedHex':
      return { content: fromHex(content.value, name) };
    case 'dataFormattedBase64':
      return { content: fromBase64(content.value, name) };
    case 'dataUri': {
      const base64 = /^data:[^,]*;base64,(.*)$/s.exec(content.value)?.[1];
      if (base64 === undefined) throw invalidArgument(`The file "${name}" isn't a base64 data URI.`);
      return { content: fromBase64(base64, name) };
    }
    case 'url':
      return { url: readUrl(content.value, name) };
    default:
      return {};
  }
}

function fromHex(hex: string, name: string): Uint8Array {
  const bytes = readHex(hex);
  if (bytes === undefined) throw invalidArgument(`The file "${name}" isn't hexadecimal.`);
  return bytes;
}

/** A decoder that skips what it doesn't know would store another file than the one that was sent. */
function fromBase64(base64: string, name: string): Uint8Array {
  const bytes = readBase64(base64);
  if (bytes === undefined) throw invalidArgument(`The file "${name}" isn't base64.`);
  return bytes;
}

/**
 * Accepts only addresses that a link may redirect to: a browser could run any other scheme. Returns the address as a
 * browser reads it, because it may skip line breaks and other characters.
 */
function readUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isWebAddress(url)) {
    throw invalidArgument(`The file "${name}" has an invalid URL: "${text}". Use one that starts with https://.`);
  }
  if (hasCredentials(url)) {
    throw invalidArgument(`The URL of the file "${name}" contains a user name or password, which everyone would see.`);
  }
  return url.href;
}

/** Whether a URL contains a user name or password. Whoever sees the URL would get them. */
export const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';

export const isWebAddress = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:';

/** Reads the name of a file without its folders, which older browsers and programs send too. */
export function readFileName(text: string): string {
  const name = text.split(/[/\\]/).at(-1) ?? '';
  return readEnteredText(name, "A file's name", MAX_NAME_LENGTH) || 'file';
}

/** Reads the identifier of a file to replace or create; undefined if the server chooses one. */
export function readFileIdentifier(text: string): string | undefined {
  return readEnteredText(text, "A file's identifier", MAX_IDENTIFIER_LENGTH) || undefined;
}

/**
 * Reads when a file expires.
 *
 * @throws ConnectError INVALID_ARGUMENT for a time that has passed, because the file would vanish at once
 */
export function readExpiry(timestamp: File['expiresAt'], now: Date): Date | null {
  const expiresAt = readTimestamp(timestamp, now, 'expires_at');
  if (expiresAt === undefined) return null;
  if (expiresAt <= now) throw invalidArgument('expires_at must be in the future.');
  return expiresAt;
}
