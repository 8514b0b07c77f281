import { HealthService } from '#proto/gen/hiber/health_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const healthLevelPolicy = rpcs(HealthService, {
  list: read(),
  reorder: change('HEALTH_MANAGE'),
  add: change('HEALTH_MANAGE'),
  update: change('HEALTH_MANAGE'),
  remove: change('HEALTH_MANAGE'),
});
