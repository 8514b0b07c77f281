import { expect, test, vi } from 'vitest';

import { registry } from '#src/registry/registry.ts';

import { loadAllCommands, runner } from './invoke.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);

test('loads every command and the code that runs commands on demand', async () => {
  expect(() => runner()).toThrow('has not loaded');
  expect(registry().command('gadget.beep')).toBeUndefined();
  await loadAllCommands();
  expect(runner().start).toBeTypeOf('function');
  expect(registry().command('gadget.beep')?.id).toBe('gadget.beep');
});
