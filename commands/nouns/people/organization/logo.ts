import { base64Encode } from '@bufbuild/protobuf/wire';

import type { Context } from '#commands/model/context.ts';
import type { FileContent } from '#commands/model/files.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';

/** The image types that the console shows (spec 3). */
const IMAGE = /^image\/(png|jpeg|webp|gif)$/;

/**
 * Loads an organization's logo as an image source, which is an https URL or a data URL. Returns undefined if the
 * organization has no logo.
 */
export async function loadLogo(context: Context, organization: string): Promise<string | undefined> {
  const request = { organizations: [organization] };
  const { avatars } = await context.api(OrganizationService).getAvatar(request, { signal: context.signal });
  const logo = avatars[organization]?.urlOrImage;
  if (logo?.case === 'url') return logo.value.startsWith('https://') ? logo.value : undefined;
  const content = logo?.case === 'image' ? logo.value.content : undefined;
  const bytes = content?.case === 'data' ? content.value.bytes : undefined;
  const mediaType = logo?.case === 'image' ? logo.value.mediaType : '';
  return bytes && IMAGE.test(mediaType) ? `data:${mediaType};base64,${base64Encode(bytes)}` : undefined;
}

/** Converts a file to a logo in the contract's format. An empty string removes the current logo. */
export function toAvatar(file: FileContent | '') {
  if (file === '') return {};
  const { name, mediaType, bytes } = file;
  const image = { name, mediaType, content: { case: 'dataRaw' as const, value: bytes } };
  return { urlOrImage: { case: 'image' as const, value: image } };
}
