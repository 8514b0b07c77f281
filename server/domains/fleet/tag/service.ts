import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';

import { groupBy } from '#commands/text/group-by.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import {
  DeleteTagRequest_ResponseSchema,
  ListTagsRequest_ResponseSchema,
  ListTagsRequestSchema,
  TagHealth_RequestSchema,
  TagHealth_ResponseSchema,
  TagHealthSchema,
  type TagSelection,
  type TagService,
} from '#proto/gen/hiber/tag_pb.ts';
import type { App } from '#server/app/app.ts';
import { filesOfTags } from '#server/domains/data/file/files.ts';
import { tagWhere } from '#server/domains/fleet/device/model/tag-selection.ts';
import { deviceScope, tagScope } from '#server/domains/fleet/device/model/where.ts';
import { healthLevels } from '#server/events/health-level.ts';
import { type Scope, scope } from '#server/session/scope.ts';

import { devicesPerTag, levelsPerTag, selectTags, webhooksPerTag } from './counts.ts';
import { presentTag } from './present.ts';
import { createTag, deleteTag, updateTag } from './write.ts';

/** Writes require TAGS_MANAGE, which the policy table enforces (contract: TagService). */
export function tagService(app: App): ServiceImpl<typeof TagService> {
  const { orm } = app.db;

  /** Loads the selected tags by id, in the order of the list. */
  const listTags = async (caller: Scope, selection: TagSelection | undefined) => {
    const { organization } = caller;
    const rows = await selectTags(orm, organization, tagWhere(tagScope(deviceScope(caller)), selection));
    const files = await filesOfTags(
      orm,
      organization,
      rows.map(({ id }) => id),
    );
    return new Map(rows.map((row) => [row.id, presentTag(row, files.get(row.id) ?? [])]));
  };
  /** Adds a 0 for tags without a count. */
  const countsById = (ids: Iterable<number>, counts: ReadonlyMap<number, number>): Record<string, number> =>
    Object.fromEntries([...ids].map((id) => [String(id), counts.get(id) ?? 0]));

  return {
    async list(request, context) {
      const caller = scope(context);
      const { organization } = caller;
      const tags = await listTags(caller, request.selection);
      const noCounts: ReadonlyMap<number, number> = new Map();
      return create(ListTagsRequest_ResponseSchema, {
        tags: [...tags.values()],
        request: create(ListTagsRequestSchema, { ...request, organization }),
        tagModemCount: request.modemCount
          ? countsById(tags.keys(), await devicesPerTag(orm, deviceScope(caller)))
          : undefined,
        tagWebhookCount: request.webhookCount
          ? countsById(tags.keys(), await webhooksPerTag(orm, organization))
          : undefined,
        // This server has no process points yet; "assets" is their former name.
        tagAssetCount: request.assetCount ? countsById(tags.keys(), noCounts) : undefined,
        tagProcessPointCount: request.processPointCount ? countsById(tags.keys(), noCounts) : undefined,
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
      const tags = await listTags(caller, request.selection);
      const levels = new Map((await healthLevels(orm, organization)).map((level) => [level.level, level]));
      const perTag = groupBy(await levelsPerTag(orm, deviceScope(caller)), (row) => row.tag);
      const severity = (level: HealthLevel | undefined) => Number(level?.severity ?? 0);
      return create(TagHealth_ResponseSchema, {
        tagHealth: [...tags].flatMap(([id, tag]) => {
          const rows = (perTag.get(id) ?? [])
            .map(({ level, count }) => ({ level: levels.get(level), count }))
            .sort((a, b) => severity(a.level) - severity(b.level));
          return rows.map(({ level, count }, index) =>
            create(TagHealthSchema, {
              tag,
              healthLevel: level,
              mostSevere: index === rows.length - 1,
              modemCount: request.modemCount ? count : 0,
            }),
          );
        }),
        request: create(TagHealth_RequestSchema, { ...request, organization }),
      });
    },
  };
}
