import { expect, test, vi } from 'vitest';

import { compile } from './workers/definition.mjs';
import { Realm } from './workers/realm.mjs';

test('finishes small messages even if other threads keep the processors busy', async () => {
  const realm = await Realm.create(await compile('meta: {id: level, endian: be}\nseq:\n  - {id: level, type: u2}\n'));
  let milliseconds = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (milliseconds += 100));
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: 100_000, system: 0 }));
  const results = Array.from({ length: 1000 }, () => realm.parse(Uint8Array.of(1, 2), false));
  vi.restoreAllMocks();
  const characters = '{"fields":{"level":258}}'.length;
  expect(results).toEqual(Array.from({ length: 1000 }, () => ({ fields: { level: 258 }, characters })));
});
