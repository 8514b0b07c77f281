import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { unimplementedRpcs } from '#server/testkit/unimplemented-rpcs.ts';

import { createRoutes } from './routes.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer({ isEmpty: true });
});
afterAll(() => t.close());

/** Returns every registered service with its handlers. */
function registeredServices(): { service: DescService; handlers: object }[] {
  const services: { service: DescService; handlers: object }[] = [];
  const router = {
    handlers: [],
    service(service: DescService, handlers: object) {
      services.push({ service, handlers });
      return router;
    },
  };
  createRoutes(t.app, new AbortController().signal)(router as unknown as ConnectRouter);
  return services;
}

test('implements all rpcs of every registered service, except those that the testkit lists', () => {
  const services = registeredServices();
  const names = services.map(({ service }) => service.typeName);
  expect(names).toEqual(
    expect.arrayContaining(['hiber.device.DeviceService', 'hiber.event.EventService', 'hiber.health.HealthService']),
  );
  const missing = services.flatMap(({ service, handlers }) =>
    service.methods
      .filter(({ localName }) => typeof Reflect.get(handlers, localName) !== 'function')
      .map(({ name }) => `${service.typeName}.${name}`),
  );
  expect(missing).toEqual(unimplementedRpcs);
});
