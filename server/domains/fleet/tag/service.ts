import { create } from '@bufbuild/protobuf';

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
        tagHealth: tags.flatMap((tag) => {
          const id = Number(tag.id);
          const tagLevels = perLevel.filter((counts) => counts.devices.has(id) || counts.points.has(id));
          return tagLevels.map((counts, index): TagHealth => ({
            $typeName: 'hiber.tag.TagHealth',
            tag,
            healthLevel: counts.healthLevel,
            mostSevere: index === tagLevels.length - 1,
            modemCount: request.modemCount ? (counts.devices.get(id) ?? 0) : 0,
            assetCount: 0,
            processPointCount: counts.points.get(id) ?? 0,
          }));
        }),
        request: create(TagHealth_RequestSchema, { ...request, organization }),
      });
    },
  };
});
