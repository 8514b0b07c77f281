import { afterAll, beforeAll, expect, it } from 'vitest';
import { HealthService } from '#proto/gen/hiber/health_pb.ts';
import { MapService } from '#proto/gen/hiber/map_pb.ts';
import { rpcCoverage } from './coverage.ts';
import type { createRoutes } from '#server/http/rpc/routes.ts';
import { startTestServer, type TestServer } from './server.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
});
afterAll(() => t.close());

it('counts every rpc of the contract, and each handler answers somebody who may do everything', async () => {
  const { served, unserved } = await rpcCoverage(t);
  expect(served.length + unserved.length).toBe(213);
  expect(served).toContain('hiber.webhook.WebhookService.Create');
  // What is counted out has no handler at all: nothing that is there is out of this caller's reach, or fails.
  expect(unserved.filter(({ reason }) => reason !== 'no handler')).toEqual([]);
});

it('does not count an rpc for being registered, or for refusing the caller', async () => {
  const routes = (router: Parameters<ReturnType<typeof createRoutes>>[0]) => {
    router.service(HealthService, { list: () => ({}) });
    // Registered here and unknown to the server that is called.
    router.service(MapService, { tileMap: () => ({}) });
  };
  const { served, unserved } = await rpcCoverage(t, routes);
  expect(served).toEqual(['hiber.health.HealthService.List']);
  const reasons = new Map(unserved.map(({ rpc, reason }) => [rpc, reason]));
  expect(reasons.get('hiber.health.HealthService.Reorder')).toBe('no handler');
  expect(reasons.get('hiber.map.MapService.TileMap')).toMatch(/^Unimplemented: /);
});
