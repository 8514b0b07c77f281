import type { Organization_Avatar } from '#proto/gen/hiber/organization_pb.ts';
import type { organization } from '#server/db/schema/organization.ts';
import { hasCredentials, readContent } from '#server/domains/data/file/entered.ts';
import { rasterType } from '#server/domains/data/file/media-type.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/** Generous for a logo, but small enough for a page of images to fit into one response. */
export const MAX_AVATAR_BYTES = 256 * 1024;
const MAX_URL_LENGTH = 2000;
const MAX_NAME_LENGTH = 255;

type AvatarColumns = Pick<
  typeof organization.$inferInsert,
  'avatarUrl' | 'avatarImage' | 'avatarMediaType' | 'avatarName'
>;

const noAvatar: AvatarColumns = { avatarUrl: null, avatarImage: null, avatarMediaType: null, avatarName: null };

/**
 * Converts an avatar to the columns that store it. An avatar without a URL or an image removes the current avatar.
 *
 * @throws ConnectError INVALID_ARGUMENT for an image that is too large or in an unsupported format, and for a URL that
 *   is too long, not https, or contains a password
 */
export function readAvatar({ urlOrImage }: Organization_Avatar): AvatarColumns {
  switch (urlOrImage.case) {
    case 'url':
      return readUrl(urlOrImage.value);
    case 'image': {
      const { content, url } = readContent(urlOrImage.value);
      if (content !== undefined) return readImage(content, urlOrImage.value.name);
      if (url !== undefined) return readUrl(url);
      throw invalidArgument('Send an image or a URL as the avatar.');
    }
    default:
      return noAvatar;
  }
}

function readUrl(text: string): AvatarColumns {
  const trimmed = text.trim();
  if (trimmed === '') return noAvatar;
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  // The console loads images only over https, so nobody on the network can see or replace them.
  if (url?.protocol !== 'https:' || trimmed.length > MAX_URL_LENGTH) {
    throw invalidArgument(
      `The URL of an avatar must start with https:// and have at most ${MAX_URL_LENGTH} characters.`,
    );
  }
  if (hasCredentials(url)) {
    throw invalidArgument('The URL of an avatar contains a user name or password, which everyone would see.');
  }
  return { ...noAvatar, avatarUrl: url.href };
}

function readImage(image: Uint8Array, name: string): AvatarColumns {
  if (image.length > MAX_AVATAR_BYTES) {
    const kilobytes = (bytes: number) => Math.ceil(bytes / 1024);
    throw invalidArgument(
      `An avatar can be at most ${kilobytes(MAX_AVATAR_BYTES)} KB, and this one is ${kilobytes(image.length)} KB.`,
    );
  }
  const avatarMediaType = rasterType(image);
  if (avatarMediaType === undefined) throw invalidArgument('Choose a PNG, JPEG, WebP, or GIF image as the avatar.');
  const avatarName = readEnteredText(name, "The avatar's file name", MAX_NAME_LENGTH) || null;
  return { ...noAvatar, avatarImage: image, avatarMediaType, avatarName };
}
