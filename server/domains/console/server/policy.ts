import { Health } from '#proto/gen/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '#proto/gen/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as ServerReflectionV1Alpha } from '#proto/gen/grpc/reflection/v1alpha/reflection_pb.ts';
import { ServerService } from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';
import { open, rpcs } from '#server/policies/rpcs.ts';

/** gRPC's own service, for load balancers. */
export const grpcHealthPolicy = rpcs(Health, {
  check: open,
  list: open,
  watch: open,
});

/** gRPC's own service. It reveals no more than the public contract. */
export const grpcReflectionPolicy = rpcs(ServerReflection, {
  serverReflectionInfo: open,
});

export const grpcReflectionV1AlphaPolicy = rpcs(ServerReflectionV1Alpha, {
  serverReflectionInfo: open,
});

export const serverPolicy = rpcs(ServerService, {
  info: open,
});
