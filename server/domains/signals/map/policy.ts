import { MapService } from '#proto/gen/hiber/map_pb.ts';
import { read, rpcs } from '#server/policies/rpcs.ts';

export const mapPolicy = rpcs(MapService, {
  tileMap: read('MODEMS'),
  locationHistory: read('MODEMS'),
});
