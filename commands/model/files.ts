import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';

/** The content of a file, with its name but without its path. */
export interface FileContent {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);name=([^;,]*);base64,([\w+/=]*)$/;

/**
 * Returns the value of a loaded file in an invocation. History, lines, and links store {@link fileReference} instead.
 */
export function fileValue({ name, mediaType, bytes }: FileContent): string {
  return `data:${mediaType};name=${encodeURIComponent(name)};base64,${base64Encode(bytes)}`;
}

/** Returns the content of a loaded file. Undefined for a value that only names a file. */
export function fileContent(value: string): FileContent | undefined {
  const [, mediaType, name, data] = DATA_URL.exec(value) ?? [];
  if (mediaType === undefined || name === undefined || data === undefined) return undefined;
  return { name: decodeURIComponent(name), mediaType, bytes: base64Decode(data) };
}

/** Returns the name of a file to read where the command runs: `@logo.png`. The empty value removes the current file. */
export function fileReference(value: string): string {
  const content = fileContent(value);
  return content ? `@${content.name}` : value;
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
  return MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}

/** Returns the file extensions for the given media types, which may themselves be extensions: `.csv`. */
export function fileEndings(mediaTypes: readonly string[]): readonly string[] {
  const endings = Object.entries(MEDIA_TYPES).flatMap(([ending, type]) =>
    mediaTypes.includes(type) ? [`.${ending}`] : [],
  );
  return [...new Set([...endings, ...mediaTypes.filter((type) => type.startsWith('.'))])];
}
