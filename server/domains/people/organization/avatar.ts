import type { Organization_Avatar } from '#proto/gen/hiber/organization_pb.ts';
import type { organization } from '#server/db/schema/organization.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { storedText } from '#server/wire/entered-text.ts';
import { contentOf } from '#server/domains/data/file/files.ts';

/** An image this large is far more than a logo needs; a page of them must fit into one answer. */
export const MAX_AVATAR_BYTES = 256 * 1024;
const LONGEST_URL = 2000;
const LONGEST_NAME = 255;

type Stored = Pick<typeof organization.$inferInsert, 'avatarUrl' | 'avatarImage' | 'avatarMediaType' | 'avatarName'>;

const none: Stored = { avatarUrl: null, avatarImage: null, avatarMediaType: null, avatarName: null };

/** By their first bytes, as a name or a media type can say anything. No SVG: it may hold scripts. */
const kinds: readonly { mediaType: string; starts: RegExp }[] = [
  { mediaType: 'image/png', starts: /^89504e470d0a1a0a/ },
  { mediaType: 'image/jpeg', starts: /^ffd8ff/ },
  { mediaType: 'image/gif', starts: /^47494638(?:37|39)61/ },
  // RIFF, four bytes of length, WEBP.
  { mediaType: 'image/webp', starts: /^52494646.{8}57454250/ },
];

/**
 * An avatar as it is stored, whole; one with neither a URL nor an image takes the present one away.
 *
 * @throws ConnectError INVALID_ARGUMENT for an image that is too large or no image, and for a URL that browsers cannot
 *   load one from
 */
export function readAvatar({ urlOrImage }: Organization_Avatar): Stored {
  switch (urlOrImage.case) {
    case 'url':
      return readUrl(urlOrImage.value);
    case 'image': {
      const { content, url } = contentOf(urlOrImage.value);
      if (content !== undefined) return readImage(content, urlOrImage.value.name);
      if (url !== undefined) return readUrl(url);
      throw invalidArgument('Send the image of the avatar itself, or a URL.');
    }
    default:
      return none;
  }
}

function readUrl(text: string): Stored {
  const url = text.trim();
  if (url === '') return none;
  // The console shows images of this scheme only, so that nobody on the way can swap or see them.
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:' || url.length > LONGEST_URL) {
    throw invalidArgument('The URL of an avatar starts with https://');
  }
  return { ...none, avatarUrl: new URL(url).href };
}

function readImage(image: Uint8Array, name: string): Stored {
  if (image.length > MAX_AVATAR_BYTES) {
    const kilobytes = (bytes: number) => Math.ceil(bytes / 1024);
    throw invalidArgument(
      `An avatar may be ${kilobytes(MAX_AVATAR_BYTES)} KB large, and this one is ${kilobytes(image.length)} KB.`,
    );
  }
  const first = Buffer.from(image.subarray(0, 16)).toString('hex');
  const kind = kinds.find(({ starts }) => starts.test(first));
  if (kind === undefined) throw invalidArgument('An avatar is a PNG, JPEG, WebP or GIF image.');
  const avatarName = storedText(name, 'The file name of an avatar', LONGEST_NAME) || null;
  return { ...none, avatarImage: image, avatarMediaType: kind.mediaType, avatarName };
}
