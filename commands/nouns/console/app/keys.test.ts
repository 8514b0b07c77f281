import { expect, test } from 'vitest';

import type { Command } from '#commands/model/command.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { registry } from '#commands/nouns/all.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';

const PASTED = '{"device.rename":["n"]}';

/** Runs a command of a user with custom keys. Returns its message, the keys, and the copied text. */
async function runWith(custom: string, id: string, { isBlocked = false } = {}) {
  let current = custom;
  let copied: string | undefined;
  const keys: Partial<HostCapabilities['keys']> = {
    print: () => current,
    replace: (text) => {
      current = text;
      return Object.keys(JSON.parse(text) as object).length;
    },
  };
  const clipboard = {
    write: async (text: Promise<string>) => {
      copied = isBlocked ? undefined : await text;
      return !isBlocked;
    },
  };
  const context = testContext({ host: { keys: keys as HostCapabilities['keys'], clipboard } });
  const { run } = registry.command(id) as Command;
  const outcome = await run({ ...context, stop: context.signal }, { keys: PASTED });
  return { message: outcome.message, current, copied };
}

const CUSTOM = '{"app.help":["F1"]}';
const reset = message('app:done.keysReset');
const pasted = message('app:done.keysPasted', { count: 1 });
const withCopy = (result: typeof reset) => message('app:done.previousKeysCopied', { result });

test.each([
  ['app.reset-keys', '{}', reset],
  ['app.paste-keys', PASTED, pasted],
])('%s copies the keys that it replaces', async (id, current, result) => {
  expect(await runWith(CUSTOM, id)).toEqual({ message: withCopy(result), current, copied: CUSTOM });
  expect(await runWith('{}', id)).toEqual({ message: result, current, copied: undefined });
  // A toast offers to copy them instead.
  expect(await runWith(CUSTOM, id, { isBlocked: true })).toEqual({ message: result, current, copied: undefined });
});

test('reports how the keys changed', () => {
  // A command that navigates shows no message.
  const effects = ['copy', 'paste', 'reset'].map((verb) => registry.command(`app.${verb}-keys`)?.effect);
  const keyEffects = ['app.add-key', 'app.remove-key', 'app.single-keys'].map((id) => registry.command(id)?.effect);
  expect(new Set([...effects, ...keyEffects])).toEqual(new Set(['read']));
});
