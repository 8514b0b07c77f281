import { describe, expect, test } from 'vitest';

import { contractServices, services } from './registry.ts';

const rpcs = contractServices.flatMap((service) => service.methods.map((rpc) => `${service.typeName}/${rpc.name}`));

describe('the contract', () => {
  test('has 36 services with 213 rpcs', () => {
    expect(contractServices).toHaveLength(36);
    expect(rpcs).toHaveLength(213);
  });

  test('has no streaming rpc except the event stream', () => {
    const streams = contractServices.flatMap((service) => service.methods).filter((rpc) => rpc.methodKind !== 'unary');
    expect(streams.map((rpc) => `${rpc.parent.typeName}/${rpc.name} ${rpc.methodKind}`)).toEqual([
      'hiber.event.EventService/Stream server_streaming',
    ]);
  });
});

/** Services common to all gRPC servers, under the names that tools expect. */
const commonServices = [
  'grpc.health.v1.Health',
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
];

test('our own services are in our own packages', () => {
  const others = services.filter((service) => !contractServices.includes(service)).map((service) => service.typeName);
  const ownServices = others.filter((name) => !commonServices.includes(name));
  expect(ownServices.filter((name) => !/^quarterdeck\.[a-z]+\.v1\.[A-Z]/.test(name))).toEqual([]);
  expect(ownServices).toContain('quarterdeck.webhook.v1.WebhookDeliveryService');
});
