import { ValueService } from '#proto/gen/hiber/value_service_pb.ts';
import { read, rpcs } from '#server/policies/rpcs.ts';

export const valuePolicy = rpcs(ValueService, {
  list: read(),
  downsampled: read(),
  latest: read(),
});
