import { renderHook, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import { p } from '#commands/model/params.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';

import { useInitial } from './use-initial.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('#src/palette/testkit/registry.ts')).loaders);
beforeAll(loadAll);
beforeEach(() => showGadgets({ target: { ids: ['AAAA BBBB'] }, count: 1 }));

const editLine = command({
  id: 'gadget.edit-line',
  on: () => gadget,
  effect: 'read',
  params: {
    gadgets: p.many(() => gadget),
    line: p.text({ check: (text) => (text === '0' ? message('common:cli.unknown') : undefined) }),
    text: p.text(),
  },
  initialParams: ['line'],
  initial: (_context, { line, text }) => Promise.resolve({ values: { text: `line ${line}, text ${text}` } }),
  run: () => Promise.resolve({}),
});

test.each([
  { name: 'passes the params that the initial values need, and no others', line: '3', text: 'line 3, text undefined' },
  { name: 'leaves out an invalid one, which its field reports', line: '0', text: 'line undefined, text undefined' },
])('$name', async ({ line, text }) => {
  const context = contextNow();
  const args = { gadgets: { ids: ['AAAA BBBB'] }, line };
  const { result } = renderHook(() => useInitial(editLine, args, context));
  await waitFor(() =>
    expect(result.current).toMatchObject({ status: 'ready', draft: { initial: { text: { value: text } } } }),
  );
});
