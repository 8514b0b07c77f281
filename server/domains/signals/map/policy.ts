import { MapService } from '#proto/gen/hiber/map_pb.ts';
import { NamedLocationService } from '#proto/gen/hiber/named_location_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const mapPolicy = rpcs(MapService, {
  tileMap: read('MODEMS'),
  locationHistory: read('MODEMS'),
});

export const namedLocationPolicy = rpcs(NamedLocationService, {
  list: read(),
  create: change('LOCATIONS_MANAGE'),
  update: change('LOCATIONS_MANAGE'),
  delete: change('LOCATIONS_MANAGE'),
});
