import { afterAll, beforeAll, expect, test } from 'vitest';

import { HealthService } from '#proto/gen/hiber/health_pb.ts';
import { MapService } from '#proto/gen/hiber/map_pb.ts';
import type { createRoutes } from '#server/http/rpc/routes.ts';

import { measureRpcCoverage } from './coverage.ts';
import { startTestServer, type TestServer } from './server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

test('covers every rpc in the contract, with a response from every handler', async () => {
  const { served, unserved } = await measureRpcCoverage(t);
  expect(served.length + unserved.length).toBe(213);
  expect(served).toContain('hiber.webhook.WebhookService.Create');
  // Every unserved rpc has no handler, which means that no handler fails or denies this caller.
  expect(unserved.filter(({ reason }) => reason !== 'no handler')).toEqual([]);
});

test('does not count an rpc that has no handler or that the server does not implement', async () => {
  const routes = (router: Parameters<ReturnType<typeof createRoutes>>[0]) => {
    router.service(HealthService, { list: () => ({}) });
    // This service is registered here, but the server under test doesn't implement it.
    router.service(MapService, { tileMap: () => ({}) });
  };
  const { served, unserved } = await measureRpcCoverage(t, routes);
  expect(served).toEqual(['hiber.health.HealthService.List']);
  const reasons = new Map(unserved.map(({ rpc, reason }) => [rpc, reason]));
  expect(reasons.get('hiber.health.HealthService.Reorder')).toBe('no handler');
  expect(reasons.get('hiber.map.MapService.TileMap')).toMatch(/^Unimplemented: /);
});
