import { base64Encode } from '@bufbuild/protobuf/wire';

import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import type { Context } from '#commands/model/context.ts';
import type { FileContent } from '#commands/model/files.ts';

/** What a logo may be (spec 3); anything else is not handed to a picture. */
const IMAGE = /^image\/(png|jpeg|webp|gif)$/;

/**
 * The logo of an organization, as an address that a picture takes: an https one, or the image itself. Undefined
 * without one.
 */
export async function logoOf(context: Context, organization: string): Promise<string | undefined> {
  const request = { organizations: [organization] };
  const { avatars } = await context.api(OrganizationService).getAvatar(request, { signal: context.signal });
  const logo = avatars[organization]?.urlOrImage;
  if (logo?.case === 'url') return logo.value.startsWith('https://') ? logo.value : undefined;
  const content = logo?.case === 'image' ? logo.value.content : undefined;
  const bytes = content?.case === 'data' ? content.value.bytes : undefined;
  const mediaType = logo?.case === 'image' ? logo.value.mediaType : '';
  return bytes && IMAGE.test(mediaType) ? `data:${mediaType};base64,${base64Encode(bytes)}` : undefined;
}

/** A logo to be sent; one without an image takes away what is there. */
export function avatarOf(file: FileContent | '') {
  if (file === '') return {};
  const { name, mediaType, bytes } = file;
  const image = { name, mediaType, content: { case: 'dataRaw' as const, value: bytes } };
  return { urlOrImage: { case: 'image' as const, value: image } };
}
