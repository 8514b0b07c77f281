import type { ConnectRouter, ConnectRouterOptions, Interceptor, ServiceImpl } from '@connectrpc/connect';

import { Health } from '#proto/gen/grpc/health/v1/health_pb.ts';
import { ServerReflection } from '#proto/gen/grpc/reflection/v1/reflection_pb.ts';
import { ServerReflection as ServerReflectionV1Alpha } from '#proto/gen/grpc/reflection/v1alpha/reflection_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Service } from '#server/app/service.ts';
import { callerInterceptor } from '#server/db/pool/caller.ts';
import { grpcHealth } from '#server/domains/console/server/grpc-health.ts';
import { reflection } from '#server/domains/console/server/grpc-reflection.ts';
import { sessionInterceptor } from '#server/session/interceptor.ts';

import { errorInterceptor } from './errors.ts';
import { rejectMalformedAsInvalid } from './malformed.ts';
import { policyOf, type ServiceWithPolicy } from './policy-of.ts';
import * as services from './services.ts';
import { unknownFieldsInterceptor } from './unknown-fields.ts';
import '#server/wire/long-numbers.ts';

/** gRPC's own default for received messages: "message size is bound by gRPC limits" (contract: Conventions). */
export const MAX_BYTES_RECEIVED = 4 * 1024 * 1024;
/** The maximum size for rpcs without sign-in, which have tiny requests. */
export const MAX_BYTES_UNAUTHENTICATED = 64 * 1024;
/** A page of a thousand devices with all their details is about 2 MB. */
const MAX_BYTES_SENT = 32 * 1024 * 1024;

/**
 * Rejects JSON that isn't UTF-8, as protobuf does: decoding it loosely would store U+FFFD in place of the original.
 * Connect's own default silently drops unknown names (see unknownFieldsInterceptor).
 */
const jsonOptions = { ignoreUnknownFields: false, textDecoder: new TextDecoder('utf-8', { fatal: true }) };

/** Returns the options that apply to every call in any protocol, for limits, errors, and sessions. */
export function routerOptions(app: App): ConnectRouterOptions {
  return {
    interceptors: [
      errorInterceptor(app.log),
      callerInterceptor(),
      sessionInterceptor(app, policyOf),
      unknownFieldsInterceptor,
      rejectAborted,
    ],
    jsonOptions,
    readMaxBytes: MAX_BYTES_RECEIVED,
    writeMaxBytes: MAX_BYTES_SENT,
  };
}

/** Rejects a call if its deadline passed or its caller hung up during the preceding checks. */
const rejectAborted: Interceptor = (next) => (request) => {
  request.signal.throwIfAborted();
  return next(request);
};

// A service without a policy doesn't compile.
const implementedServices: readonly Service<ServiceWithPolicy>[] = Object.values(services);

/**
 * Returns the routes of all services.
 *
 * @param shutdown aborts when the server starts to shut down
 */
export function createRoutes(app: App, shutdown: AbortSignal): (router: ConnectRouter) => void {
  return (router) => {
    for (const service of implementedServices) service.register(router, app);
    const descriptors = implementedServices.map(({ descriptor }) => descriptor);
    const reflectedDescriptors = [...descriptors, Health, ServerReflection, ServerReflectionV1Alpha];
    const serve = <S extends ServiceWithPolicy>(service: S, handlers: ServiceImpl<S>): void => {
      router.service(service, handlers);
    };
    serve(Health, grpcHealth(app, descriptors, shutdown));
    serve(ServerReflection, reflection(reflectedDescriptors));
    serve(ServerReflectionV1Alpha, reflection(reflectedDescriptors));
    rejectMalformedAsInvalid(router);
  };
}
