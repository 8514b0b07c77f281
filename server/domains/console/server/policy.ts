import { Health } from '#proto/gen/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '#proto/gen/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as ServerReflectionV1Alpha } from '#proto/gen/grpc/reflection/v1alpha/reflection_pb.ts';
import { ServerService } from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';
import { openGate, rpcs } from '#server/policies/rpcs.ts';

/** gRPC's standard health service, for load balancers. */
export const grpcHealthPolicy = rpcs(Health, {
  check: openGate,
  list: openGate,
  watch: openGate,
});

/** gRPC's standard reflection service. It reveals no more than the public contract. */
export const grpcReflectionPolicy = rpcs(ServerReflection, {
  serverReflectionInfo: openGate,
});

export const grpcReflectionV1AlphaPolicy = rpcs(ServerReflectionV1Alpha, {
  serverReflectionInfo: openGate,
});

export const serverPolicy = rpcs(ServerService, {
  info: openGate,
});
