import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import {
  type HealthService,
  ListHealthLevels_RequestSchema,
  ListHealthLevels_ResponseSchema,
} from '#proto/hiber/health_pb';
import type { App } from '../app.ts';
import { scope } from '../session/scope.ts';
import { healthLevels } from './shared/health-level.ts';

export function healthService(app: App): Pick<ServiceImpl<typeof HealthService>, 'list'> {
  return {
    /** Mildest first. Search takes part of a name, whatever the case; `levels` are exact names (contract: HealthService). */
    async list(request, context) {
      const { organization } = scope(context);
      const search = request.selection?.search?.trim().toLowerCase() ?? '';
      const names = request.selection?.levels ?? [];
      const levels = await healthLevels(app.db.orm, organization);
      return create(ListHealthLevels_ResponseSchema, {
        healthLevels: levels.filter(
          ({ level }) => level.toLowerCase().includes(search) && (names.length === 0 || names.includes(level)),
        ),
        request: create(ListHealthLevels_RequestSchema, { ...request, organization }),
      });
    },
  };
}
