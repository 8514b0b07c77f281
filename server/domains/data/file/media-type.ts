/** The raster formats that browsers show, by their first bytes. SVG is not among them: it can contain scripts. */
const rasterFormats: readonly { readonly mediaType: string; readonly signature: RegExp }[] = [
  { mediaType: 'image/png', signature: /^89504e470d0a1a0a/ },
  { mediaType: 'image/jpeg', signature: /^ffd8ff/ },
  { mediaType: 'image/gif', signature: /^47494638(?:37|39)61/ },
  // The text RIFF, a length of four bytes, and the text WEBP.
  { mediaType: 'image/webp', signature: /^52494646.{8}57454250/ },
];

/** The number of bytes that {@link rasterType} reads. */
export const SIGNATURE_BYTES = 16;

export const UNKNOWN_TYPE = 'application/octet-stream';

/** Returns the media type of a PNG, JPEG, GIF, or WebP image, which its first bytes prove. */
export function rasterType(content: Uint8Array): string | undefined {
  const leadingBytes = Buffer.from(content.subarray(0, SIGNATURE_BYTES)).toString('hex');
  return rasterFormats.find(({ signature }) => signature.test(leadingBytes))?.mediaType;
}

const MEDIA_TYPE = /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/;
const MAX_TYPE_LENGTH = 127;

/**
 * Returns the media type to store. Trusts the bytes of an image, and rejects the claim that anything else is one of
 * these images. Keeps any other claim, which only describes the file (see {@link servedType}).
 */
export function storedType(claimedType: string, content: Uint8Array): string {
  const imageType = rasterType(content);
  if (imageType !== undefined) return imageType;
  const type = readType(claimedType);
  return type === undefined || rasterFormats.some(({ mediaType }) => mediaType === type) ? UNKNOWN_TYPE : type;
}

/** Reads a media type without its parameters. Returns undefined for anything else. */
export function readType(text: string): string | undefined {
  const type = (text.split(';', 1)[0] ?? '').trim().toLowerCase();
  return type.length <= MAX_TYPE_LENGTH && MEDIA_TYPE.test(type) ? type : undefined;
}

/** Types that browsers never run as a page or a script. */
const PASSIVE_TYPES = /^(?:text\/(?:plain|csv)|application\/(?:json|pdf|zip|gzip)|(?:audio|video)\/[\w.+-]+)$/;

/** How to serve a file, such that no browser runs it. */
export interface ServedType {
  readonly contentType: string;
  /** True for images that may be shown in place. Everything else is downloaded. */
  readonly isInline: boolean;
}

/** Decides by the first bytes of the content rather than the stored type, which may be older than this rule. */
export function servedType(mediaType: string, content: Uint8Array): ServedType {
  const imageType = rasterType(content);
  if (imageType !== undefined) return { contentType: imageType, isInline: true };
  return { contentType: PASSIVE_TYPES.test(mediaType) ? mediaType : UNKNOWN_TYPE, isInline: false };
}
