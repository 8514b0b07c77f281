import { create } from '@bufbuild/protobuf';

import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import {
  DeleteTagRequest_ResponseSchema,
  ListTagsRequest_ResponseSchema,
  ListTagsRequestSchema,
  type Tag,
  type TagHealth,
  TagHealth_RequestSchema,
  TagHealth_ResponseSchema,
  type TagSelection,
  TagService,
} from '#proto/gen/hiber/tag_pb.ts';
import { service } from '#server/app/service.ts';
import { tagWhere } from '#server/domains/fleet/device/model/tag-selection.ts';
import { deviceScope, tagScope } from '#server/domains/fleet/device/model/where.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import { type Scope, scope } from '#server/session/scope.ts';

import {
  type CountByTag,
  countDevicesByLevel,
  countDevicesByTag,
  countPointsByLevel,
  countPointsByTag,
  countWebhooksByTag,
} from './counts.ts';
import { loadTags } from './load.ts';
import { createTag, deleteTag, updateTag } from './write.ts';

const noCounts: CountByTag = new Map();

interface LevelCounts {
  readonly healthLevel: HealthLevel;
  readonly devices: CountByTag;
  readonly points: CountByTag;
}

/**
 * Lists the levels of each tag, from the mildest to the most severe. Builds the messages directly, in loops, because a
 * large organization has tens of thousands, and the collection of garbage delays other calls.
 *
 * @param levels from the mildest to the most severe
 */
function listHealth(tags: readonly Tag[], levels: readonly LevelCounts[], countsDevices: boolean): TagHealth[] {
  const list: TagHealth[] = [];
  for (const tag of tags) {
    const id = Number(tag.id);
    let last: TagHealth | undefined;
    for (const { healthLevel, devices, points } of levels) {
      const deviceCount = devices.get(id);
      const pointCount = points.get(id);
      if (deviceCount === undefined && pointCount === undefined) continue;
      last = {
        $typeName: 'hiber.tag.TagHealth',
        tag,
        healthLevel,
        mostSevere: false,
        modemCount: countsDevices ? (deviceCount ?? 0) : 0,
        assetCount: 0,
        processPointCount: pointCount ?? 0,
      };
      list.push(last);
    }
    if (last !== undefined) last.mostSevere = true;
  }
  return list;
}

/** Writes require TAGS_MANAGE, which the policy table enforces (contract: TagService). */
export const tagService = service(TagService, (app) => {
  const { orm } = app.db;

  const listTags = (caller: Scope, selection: TagSelection | undefined): Promise<readonly Tag[]> =>
    loadTags(app.db, caller.organization, tagWhere(tagScope(deviceScope(caller)), selection));
  /** Returns the counts with 0 for tags that have none. */
  const countsById = (tags: readonly Tag[], counts: CountByTag): Record<string, number> =>
    Object.fromEntries(tags.map(({ id }) => [id, counts.get(Number(id)) ?? 0]));

  return {
    async list(request, context) {
      const caller = scope(context);
      const { organization } = caller;
      // The database counts while this process presents the tags.
      const [tags, modemCounts, webhookCounts, pointCounts] = await Promise.all([
        listTags(caller, request.selection),
        request.modemCount ? countDevicesByTag(orm, deviceScope(caller)) : undefined,
        request.webhookCount ? countWebhooksByTag(orm, organization) : undefined,
        request.processPointCount || request.assetCount ? countPointsByTag(orm, organization) : undefined,
      ]);
      return create(ListTagsRequest_ResponseSchema, {
        tags: [...tags],
        request: create(ListTagsRequestSchema, { ...request, organization }),
        tagModemCount: modemCounts && countsById(tags, modemCounts),
        tagWebhookCount: webhookCounts && countsById(tags, webhookCounts),
        // "Assets" is the former name of process points.
        tagAssetCount: request.assetCount && pointCounts ? countsById(tags, pointCounts) : undefined,
        tagProcessPointCount: request.processPointCount && pointCounts ? countsById(tags, pointCounts) : undefined,
      });
    },

    create: (request, context) => createTag(app, scope(context), request),
    update: (request, context) => updateTag(app, scope(context), request),
    async delete(request, context) {
      await deleteTag(app, scope(context), request.id);
      return create(DeleteTagRequest_ResponseSchema);
    },

    async health(request, context) {
      const caller = scope(context);
      const { organization } = caller;
      const [tags, levels, devices, points] = await Promise.all([
        listTags(caller, request.selection),
        loadHealthLevels(orm, organization),
        countDevicesByLevel(orm, deviceScope(caller)),
        request.processPointCount ? countPointsByLevel(orm, deviceScope(caller)) : undefined,
      ]);
      // From the mildest to the most severe level.
      const perLevel = levels.map((healthLevel) => ({
        healthLevel,
        devices: devices.get(healthLevel.level) ?? noCounts,
        points: points?.get(healthLevel.level) ?? noCounts,
      }));
      return create(TagHealth_ResponseSchema, {
        tagHealth: listHealth(tags, perLevel, request.modemCount ?? false),
        request: create(TagHealth_RequestSchema, { ...request, organization }),
      });
    },
  };
});
