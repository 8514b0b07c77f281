import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect';

import type { App } from './app.ts';

/** A service of the API with its handlers. */
export interface Service<S extends DescService = DescService> {
  readonly descriptor: S;
  register(router: ConnectRouter, app: App): void;
}

/** Declares a service that this server implements only in part. The other rpcs return UNIMPLEMENTED. */
export function partialService<S extends DescService>(
  descriptor: S,
  handlers: (app: App) => Partial<ServiceImpl<S>>,
): Service<S> {
  return { descriptor, register: (router, app) => router.service(descriptor, handlers(app)) };
}

/** Declares a service. `server/http/rpc/services.ts` lists all services. */
export function service<S extends DescService>(descriptor: S, handlers: (app: App) => ServiceImpl<S>): Service<S> {
  return { descriptor, register: (router, app) => router.service(descriptor, handlers(app)) };
}
