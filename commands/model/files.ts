import { base64Decode } from '@bufbuild/protobuf/wire';

import { toBase64 } from '#commands/text/base64.ts';
import { message, type Message } from '#commands/text/message.ts';
import { cleanLine } from '#commands/text/visible.ts';

/** The content of a file, with its name but without its path. */
export interface FileContent {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);name=([^;,]*);base64,([\w+/=]*)$/;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * The latest values and their contents, oldest first. Decoding 25 MB takes a second, and a form and a plan read the
 * same values many times.
 */
const latest = new Map<string, FileContent>();
/** The most files in {@link latest}, which are as many as a param can have. */
const MAX_LATEST = 10;

function keep(value: string, content: FileContent): FileContent {
  latest.delete(value);
  latest.set(value, content);
  const [oldest] = latest.keys();
  if (latest.size > MAX_LATEST && oldest !== undefined) latest.delete(oldest);
  return content;
}

/**
 * Returns the value of a loaded file in an invocation. History, lines, and links store {@link fileReference} instead.
 */
export function fileValue({ name, mediaType, bytes }: FileContent): string {
  const type = MEDIA_TYPE.test(mediaType) ? mediaType : UNKNOWN_TYPE;
  const value = `data:${type};name=${encodeURIComponent(name)};base64,${toBase64(bytes)}`;
  keep(value, { name, mediaType: type, bytes });
  return value;
}

/** Returns the content of a loaded file. Undefined for a value that only names a file. */
export function fileContent(value: string): FileContent | undefined {
  const known = latest.get(value);
  if (known) return known;
  const [, mediaType, name, data] = DATA_URL.exec(value) ?? [];
  if (mediaType === undefined || name === undefined || data === undefined) return undefined;
  return keep(value, { name: decodeURIComponent(name), mediaType, bytes: base64Decode(data) });
}

/** Returns the name of a file to read where the command runs: `@logo.png`. The empty value removes the current file. */
export function fileReference(value: string): string {
  const content = fileContent(value);
  return content ? `@${content.name}` : value;
}

const MAX_SHOWN_NAME = 100;
const KILOBYTE = 1024;

/** The name of a file in a message. */
export const shownFileName = (name: string): string => cleanLine(name, MAX_SHOWN_NAME);

/** Returns the message for a file that is too large. */
export function fileSizeProblem(name: string, size: number, maxBytes: number): Message | undefined {
  if (size <= maxBytes) return undefined;
  const isMegabytes = maxBytes >= KILOBYTE ** 2;
  const max = Math.floor(maxBytes / (isMegabytes ? KILOBYTE ** 2 : KILOBYTE));
  return message('core:validation.fileSize', { name: shownFileName(name), max, unit: isMegabytes ? 'MB' : 'KB' });
}

/** Accepts files of every type, in place of a list of media types. */
export const ANY_TYPE = '*/*';

export const isAccepted = (mediaType: string, accept: readonly string[]): boolean =>
  accept.includes(mediaType) || accept.includes(ANY_TYPE);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  zip: 'application/zip',
  json: 'application/json',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  ksy: 'application/yaml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Guesses the media type of a file from its extension because a file on disk doesn't store its type. */
export function mediaTypeOf(name: string): string {
  return MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? UNKNOWN_TYPE;
}

/** Returns the file extensions for the given media types, which may themselves be extensions: `.csv`. */
export function fileEndings(mediaTypes: readonly string[]): readonly string[] {
  const endings = Object.entries(MEDIA_TYPES).flatMap(([ending, type]) =>
    mediaTypes.includes(type) ? [`.${ending}`] : [],
  );
  return [...new Set([...endings, ...mediaTypes.filter((type) => type.startsWith('.'))])];
}
