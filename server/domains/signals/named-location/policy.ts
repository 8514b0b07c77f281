import { NamedLocationService } from '#proto/gen/hiber/named_location_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const namedLocationPolicy = rpcs(NamedLocationService, {
  list: read(),
  create: change('LOCATIONS_MANAGE'),
  update: change('LOCATIONS_MANAGE'),
  delete: change('LOCATIONS_MANAGE'),
});
