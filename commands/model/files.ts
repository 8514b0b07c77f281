import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';

/** A file that was read: its name without a path, and what is in it. */
export interface FileContent {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+);name=([^;,]*);base64,([\w+/=]*)$/;

/** What an invocation holds of a file once it was read. History, lines and links keep {@link fileReference} instead. */
export function fileValue({ name, mediaType, bytes }: FileContent): string {
  return `data:${mediaType};name=${encodeURIComponent(name)};base64,${base64Encode(bytes)}`;
}

/** Undefined for a value that only names a file. */
export function fileContent(value: string): FileContent | undefined {
  const [, mediaType, name, data] = DATA_URL.exec(value) ?? [];
  if (mediaType === undefined || name === undefined || data === undefined) return undefined;
  return { name: decodeURIComponent(name), mediaType, bytes: base64Decode(data) };
}

/** The name of a file, to be read where the command runs: `@logo.png`. The empty value takes away what is there. */
export function fileReference(value: string): string {
  const content = fileContent(value);
  return content ? `@${content.name}` : value;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** By the ending of the name, as a file on a disk says nothing else of itself. */
export function mediaTypeOf(name: string): string {
  return MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}
