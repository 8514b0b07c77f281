import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ASK } from '#commands/model/arg-value.ts';
import { command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { registry } from '#commands/nouns/all.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { testContext } from '#commands/testkit/context.ts';
import { tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import type { TerminalHistory } from './history.ts';
import { EXIT } from './io.ts';
import { gadgetRegistry } from './testkit/plain.ts';
import { startTerminals, type Terminals } from './testkit/server.ts';
import { planUndo } from './undo.ts';

let terminals: Terminals;
beforeAll(async () => {
  terminals = await startTerminals();
});
afterAll(() => terminals.close());

type IoOptions = Parameters<Terminals['run']>[2];
const operator = (line: readonly string[], options?: IoOptions) => terminals.run('operator', line, options);
const count = async (filter: string): Promise<number> => {
  const { out } = await operator(['devices', filter, '--json']);
  return (JSON.parse(out) as { total: number }).total;
};
const tag = (name: string, ...more: string[]) =>
  operator(['tag', 'assign', 'health:ERROR', '--tag', name, '--yes', ...more]);

describe('quarterdeck undo', () => {
  test('undoes changes newest first and fails if no change is left', async () => {
    const faultyCount = await count('health:ERROR');
    const first = await tag('First');
    expect([first.code, first.err]).toEqual([EXIT.ok, 'undo: npx quarterdeck undo\n']);
    await tag('Second');
    expect([await count('tag:First'), await count('tag:Second')]).toEqual([faultyCount, faultyCount]);

    const undoRun = await operator(['undo']);
    expect([undoRun.code, undoRun.out, undoRun.err]).toEqual([
      EXIT.ok,
      `Removed “Second” from ${faultyCount} devices\n`,
      '',
    ]);
    expect([await count('tag:First'), await count('tag:Second')]).toEqual([faultyCount, 0]);
    expect((await operator(['undo'])).code).toBe(EXIT.ok);
    expect(await count('tag:First')).toBe(0);
    expect(await operator(['undo'])).toMatchObject({
      code: EXIT.failed,
      err: 'Nothing to undo in this organization.\n',
    });
  });

  test('shows the plan with --plan and changes nothing', async () => {
    await tag('Planned');
    const planRun = await operator(['undo', '--plan']);
    expect([planRun.code, planRun.out]).toEqual([EXIT.ok, expect.stringContaining('in Northwind Energy')]);
    expect(await count('tag:Planned')).toBeGreaterThan(0);
    const json = await operator(['undo', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({
      organization: 'northwind',
      command: 'undo',
      results: expect.any(Array),
    });
    expect(await count('tag:Planned')).toBe(0);
  });

  test('asks for confirmation if it deletes something', async () => {
    await operator(['tag', 'create', 'Short-lived']);
    const rejectedRun = await operator(['undo']);
    expect([rejectedRun.code, rejectedRun.err]).toEqual([EXIT.usage, expect.stringContaining('Add --yes')]);
    expect((await operator(['undo'], { answers: ['no'] })).code).toBe(EXIT.failed);
    const tags = async () => (await operator(['tags', 'Short-lived', '--json'])).out;
    expect(JSON.parse(await tags())).toMatchObject({ total: 1 });
    expect((await operator(['undo', '--yes'])).code).toBe(EXIT.ok);
    expect(JSON.parse(await tags())).toMatchObject({ total: 0 });
  });

  test('asks for confirmation if someone else has changed the value since', async () => {
    const [device] = (
      JSON.parse((await operator(['devices', 'health:OK', '--limit', '1', '--json'])).out) as {
        items: { number: string }[];
      }
    ).items;
    const number = device?.number ?? '';
    await operator(['device', 'rename', number, 'Own name']);
    await terminals.run('administrator', ['device', 'rename', number, 'Foreign']);
    const rejectedRun = await operator(['undo']);
    expect([rejectedRun.code, rejectedRun.err]).toEqual([
      EXIT.usage,
      expect.stringContaining('Changed since: Foreign.'),
    ]);
    expect((await operator(['undo'], { answers: ['y'] })).code).toBe(EXIT.ok);
    expect(await count('Foreign')).toBe(0);
  });

  test('ignores changes by other accounts and in other organizations', async () => {
    await terminals.run('administrator', ['tag', 'create', 'By the administrator']);
    expect((await operator(['undo'])).err).toBe('Nothing to undo in this organization.\n');
    await terminals.run('support', ['support', 'allow-changes', 'ticket 4711', '--org', 'northwind']);
    expect((await terminals.run('support', ['undo'])).err).toBe('Nothing to undo in this organization.\n');
    expect((await terminals.run('support', ['undo', '--plan', '--org', 'northwind'])).code).toBe(EXIT.ok);
  });

  test("refuses to undo an irreversible change and doesn't fall back to an older one", async () => {
    await tag('Older');
    await operator(['tag', 'create', 'Doomed']);
    await operator(['tag', 'delete', 'Doomed', '--yes']);
    const rejectedRun = await operator(['undo', '--yes']);
    expect([rejectedRun.code, rejectedRun.err]).toEqual([
      EXIT.failed,
      expect.stringMatching(/^This can't be undone: /),
    ]);
    expect(await count('tag:Older')).toBeGreaterThan(0);
  });

  test('reports that the change was already reverted', async () => {
    await tag('Reverted');
    await operator(['tag', 'unassign', 'health:ERROR', '--tag', 'Reverted', '--yes']);
    // Hide this change from the history, as if made in the console, which keeps its own history.
    const folder = join(terminals.folder, 'quarterdeck', 'history');
    const last = readdirSync(folder).toSorted().at(-1) ?? '';
    writeFileSync(
      join(folder, last),
      readFileSync(join(folder, last), 'utf8').replace('"changed":true', '"changed":false'),
    );
    const { code, err } = await operator(['undo']);
    expect([code, err]).toEqual([EXIT.ok, expect.stringContaining('was already reverted')]);
  });

  test("reports a history file that can't be read", async () => {
    await tag('Unreadable');
    const folder = join(terminals.folder, 'quarterdeck', 'history');
    const last = join(folder, readdirSync(folder).toSorted().at(-1) ?? '');
    writeFileSync(last, 'not json');
    const { code, err } = await operator(['undo']);
    expect([code, err]).toEqual([EXIT.failed, expect.stringContaining(last)]);
    expect(readFileSync(last, 'utf8')).toBe('not json');
  });
});

test('undoes what a run stored before being killed', async () => {
  const [{ number }] = (
    JSON.parse((await operator(['devices', '--limit', '1', '--json'])).out) as {
      items: [{ number: string }];
    }
  ).items;
  const killed = command({
    id: 'device.break',
    effect: 'write',
    plan: async () => ({ summary: message('device:count', { count: 1 }), count: 1, changes: [], reversible: true }),
    run: ({ host }) => {
      host.safeguard?.({
        summary: message('device:count', { count: 1 }),
        inverse: [{ id: 'device.rename', args: { devices: { ids: [number] }, name: 'As before' } }],
      });
      throw new CommandError(message('core:error.canceled'));
    },
  });
  const commands = createRegistry([{ commands: [killed, ...registry.commands] }]);
  await terminals.run('operator', ['device', 'break'], {}, commands);
  const { code, out, err } = await operator(['undo'], { answers: ['y'] });
  expect(code).toBe(EXIT.ok);
  expect(`${out}${err}`).toContain('This change was interrupted');
  expect(`${out}${err}`).not.toContain('too old');
  expect(await count('"As before"')).toBe(1);
});

test("removes a run's stored undo data only after storing the change itself", async () => {
  const folder = join(terminals.folder, 'quarterdeck', 'history');
  const before = readdirSync(folder);
  let filesAfterForget: readonly string[] = [];
  const safe = command({
    id: 'device.break',
    effect: 'write',
    plan: async () => ({ summary: message('device:count', { count: 1 }), count: 1, changes: [], reversible: true }),
    run: async ({ host }) => {
      host.safeguard?.({ summary: message('device:count', { count: 1 }), inverse: [] })();
      filesAfterForget = readdirSync(folder);
      return { changed: ['device'] };
    },
  });
  const commands = createRegistry([{ commands: [safe, ...registry.commands] }]);
  await terminals.run('operator', ['device', 'break'], {}, commands);
  const [safeguarded] = filesAfterForget.filter((name) => !before.includes(name));
  expect(safeguarded).toBeDefined();
  expect(readdirSync(folder)).not.toContain(safeguarded);
});

test('stores a change before making it, and only its result afterwards', async () => {
  const folder = join(terminals.folder, 'quarterdeck', 'history');
  const before = readdirSync(folder);
  const added = () => readdirSync(folder).filter((name) => !before.includes(name));
  let filesDuringRun: readonly string[] = [];
  const watched = command({
    id: 'device.break',
    effect: 'write',
    plan: async () => ({ summary: message('device:count', { count: 1 }), count: 1, changes: [], reversible: true }),
    run: async () => {
      filesDuringRun = added();
      return { changed: ['device'] };
    },
  });
  const commands = createRegistry([{ commands: [watched, ...registry.commands] }]);
  await terminals.run('operator', ['device', 'break'], {}, commands);
  expect([filesDuringRun.length, added().length]).toEqual([1, 1]);
  expect(added()).not.toEqual(filesDuringRun);
});

test('asks for missing secrets before planning an undo', async () => {
  const args = { gadgets: { ids: ['AAAA BBBB'] }, mode: 'INSTALLED' };
  const inverse = [{ id: tune.id, args: { ...args, password: ASK } }];
  const completedRun = { invocation: { id: tune.id, args }, outcome: {}, inverse, organization: 'northwind' };
  const { preparedUndo } = await planUndo({
    registry: gadgetRegistry,
    context: testContext(),
    history: {
      newest: () => ({ entry: { run: completedRun, undone: false }, skippedLater: false }),
    } as unknown as TerminalHistory,
    complete: async ({ id, args: input }) => ({ id, args: { ...input, password: 'hunter2' } }),
  });
  expect(preparedUndo.steps.map(({ args }) => args['password'])).toEqual(['hunter2']);
});
