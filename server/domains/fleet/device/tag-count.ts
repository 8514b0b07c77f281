import { create } from '@bufbuild/protobuf';

import {
  type TagCount,
  type TagCount_Request,
  TagCount_RequestSchema,
  type TagCount_Response,
  TagCount_ResponseSchema,
} from '#proto/gen/hiber/modem_pb.ts';
import type { App } from '#server/app/app.ts';
import { countDevicesByTag } from '#server/domains/fleet/tag/counts.ts';
import { loadTags } from '#server/domains/fleet/tag/load.ts';
import type { Scope } from '#server/session/scope.ts';

import { readModemCriteria } from './model/criteria.ts';
import { requireIncludedDevices } from './model/included-devices.ts';
import { tagWhere } from './model/tag-selection.ts';
import { deviceScope, tagScope } from './model/where.ts';

/**
 * Counts the selected devices for each selected tag, including tags without devices, in the order of TagService.List.
 */
export async function countTags(app: App, caller: Scope, request: TagCount_Request): Promise<TagCount_Response> {
  const { orm } = app.db;
  const { organization } = caller;
  const scope = deviceScope(caller);
  const criteria = readModemCriteria(request.selection, app.now());
  await requireIncludedDevices(orm, scope, criteria);
  // The database counts while this process presents the tags.
  const [tags, counts] = await Promise.all([
    loadTags(app.db, organization, tagWhere(tagScope(scope), request.tagSelection)),
    countDevicesByTag(orm, scope, criteria),
  ]);
  return create(TagCount_ResponseSchema, {
    tags: tags.map((tag): TagCount => ({
      $typeName: 'hiber.modem.TagCount',
      tag,
      modems: counts.get(Number(tag.id)) ?? 0,
    })),
    request: create(TagCount_RequestSchema, { ...request, organization }),
  });
}
