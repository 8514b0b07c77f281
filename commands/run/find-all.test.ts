import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test, vi } from 'vitest';

import type { Progress } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, type Gadget } from '#commands/testkit/gadget.ts';

import { lookUpAll } from './find-all.ts';

test('looks up many ids in parts, says how far it is, and repeats only the part with an unknown id', async () => {
  const ids = Array.from({ length: 5000 }, (_, index) => `id ${index}`);
  const calls: number[] = [];
  const entity: Entity<Gadget> = {
    ...(gadget as Entity<Gadget>),
    byIds: async (_context, part) => {
      calls.push(part.length);
      // As a server does that rejects a request with an unknown id.
      if (part.includes('id 4999')) throw new ConnectError('unknown', Code.NotFound);
      return part.map((id) => ({ id, name: id, state: 'OK' }));
    },
    toId: (text) => text,
    find: async () => [],
    search: async () => [],
  };
  const progress = vi.fn<(progress: Progress) => void>();
  const found = await lookUpAll(entity, ids, () => true, testContext({ progress }));
  expect([found.size, found.has('id 4999')]).toEqual([4999, false]);
  expect(calls.slice(0, 3)).toEqual([2000, 2000, 1000]);
  expect(calls.slice(3).every((size) => size <= 500)).toBe(true);
  expect(progress.mock.calls.map(([{ done, total }]) => [done, total])).toEqual([
    [2000, 5000],
    [4000, 5000],
    [5000, 5000],
  ]);
});
