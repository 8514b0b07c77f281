import { create } from '@bufbuild/protobuf';

import {
  AddHealthLevel_ResponseSchema,
  HealthService,
  ListHealthLevels_RequestSchema,
  ListHealthLevels_ResponseSchema,
  RemoveHealthLevel_ResponseSchema,
  ReorderHealthLevels_ResponseSchema,
  UpdateHealthLevel_ResponseSchema,
} from '#proto/gen/hiber/health_pb.ts';
import { service } from '#server/app/service.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import { scope } from '#server/session/scope.ts';

import { addLevel } from './add.ts';
import { removeLevel } from './remove.ts';
import { reorderLevels } from './reorder.ts';
import { updateLevel } from './update.ts';

/** Serves an organization's health levels, which are never inherited. Every change returns the complete list. */
export const healthService = service(HealthService, (app) => ({
  /**
   * Lists the levels, mildest first. Search matches part of a name or color, ignoring case; `levels` are exact names
   * (contract: HealthService).
   */
  async list(request, context) {
    const { organization } = scope(context);
    const search = request.selection?.search?.trim().toLowerCase() ?? '';
    const names = request.selection?.levels ?? [];
    const levels = await loadHealthLevels(app.db.orm, organization);
    return create(ListHealthLevels_ResponseSchema, {
      healthLevels: levels.filter(
        ({ level, colorData }) =>
          [level, ...Object.values(colorData)].some((text) => text.toLowerCase().includes(search)) &&
          (names.length === 0 || names.includes(level)),
      ),
      request: create(ListHealthLevels_RequestSchema, { ...request, organization }),
    });
  },

  async reorder(request, context) {
    const reorderedHealthLevels = await reorderLevels(app, scope(context).organization, request.levels);
    return create(ReorderHealthLevels_ResponseSchema, { reorderedHealthLevels });
  },
  async add(request, context) {
    const levels = await addLevel(app, scope(context).organization, request.newHealthLevel);
    return create(AddHealthLevel_ResponseSchema, { healthLevels: levels });
  },
  async update(request, context) {
    const levels = await updateLevel(app, scope(context).organization, request);
    return create(UpdateHealthLevel_ResponseSchema, { healthLevels: levels });
  },
  async remove(request, context) {
    const levels = await removeLevel(app, scope(context).organization, request.level);
    return create(RemoveHealthLevel_ResponseSchema, { healthLevels: levels });
  },
}));
