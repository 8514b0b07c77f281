import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { command } from '#commands/model/command.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { p } from '#commands/model/params.ts';
import type { Change } from '#commands/model/plan.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { MAX_ENTRIES } from '#commands/run/history.ts';
import { gadget, simplePlan, tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { HistoryFiles, historyFolder, MAX_CHANGE_BYTES, type Owner } from './history-files.ts';
import { TerminalHistory } from './history.ts';

const guard = command({
  id: 'gadget.guard',
  effect: 'write',
  plan: simplePlan,
  params: { password: p.secret(), header: p.pairs({ hidden: true }), note: p.text() },
  run: async () => ({}),
});
const registry = createRegistry([{ entity: gadget, commands: [tune, guard] }]);
const owner: Owner = { server: 'http://127.0.0.1:7878', organization: 'northwind', account: '7' };

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'quarterdeck-history-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = () => historyFolder({ env: { XDG_CONFIG_HOME: home } });
const files = (partial: Partial<Owner> = {}) => new HistoryFiles(folder(), { ...owner, ...partial });
const history = (partial: Partial<Owner> = {}) => new TerminalHistory(files(partial), registry);
const inverse = (ids: readonly string[]): Invocation => ({
  id: 'gadget.tune',
  args: { gadgets: { ids }, mode: 'INSTALLED' },
});
const completedRun = (label: string, more: Partial<CompletedRun> = {}): CompletedRun => ({
  invocation: { id: 'gadget.tune', args: { label } },
  outcome: {},
  inverse: [inverse(['AAAA BBBB'])],
  organization: 'northwind',
  summary: message('gadget:tune', { label }),
  ...more,
});
const newestText = (partial?: Partial<Owner>) => history(partial).newest()?.entry.run.summary?.values?.['label'];

describe('the history of a terminal', () => {
  test('stores changes newest first, in files that only the owner can read', () => {
    expect(history().newest()).toBeUndefined();
    history().add(completedRun('one'));
    history().add(completedRun('two'));
    const candidate = history().newest();
    expect(candidate).toMatchObject({ skippedLater: false, entry: { undone: false } });
    expect(candidate?.entry.run).toMatchObject({
      inverse: [inverse(['AAAA BBBB'])],
      organization: 'northwind',
      summary: message('gadget:tune', { label: 'two' }),
    });
    expect(candidate?.entry.run.outcome).toEqual({});
    expect(folder()).toBe(join(home, 'quarterdeck', 'history'));
    const modes = readdirSync(folder()).map((name) => statSync(join(folder(), name)).mode & 0o777);
    expect([modes, statSync(folder()).mode & 0o777]).toEqual([[0o600, 0o600], 0o700]);
    history().storeRemaining(candidate!, []);
    expect(newestText()).toBe('one');
    history().storeRemaining(history().newest()!, []);
    expect(history().newest()).toBeUndefined();
  });

  test("stores a change's message, so its undo does not repeat the message", () => {
    history().add(completedRun('one', { outcome: { message: message('gadget:tuned') } }));
    expect(history().newest()?.entry.run.outcome).toEqual({ message: message('gadget:tuned') });
  });

  test('keeps a pending change until it has been made', () => {
    history().add(completedRun('earlier'));
    const forget = history().safeguard(completedRun('pending'));
    expect(newestText()).toBe('pending');
    expect(history().newest()?.entry.run.inverse).toEqual([inverse(['AAAA BBBB'])]);
    forget();
    expect(newestText()).toBe('earlier');
  });

  test('keeps servers, organizations, and accounts apart', () => {
    history().add(completedRun('own'));
    const otherOwners: Partial<Owner>[] = [{ server: 'http://x' }, { organization: 'acme' }, { account: '8' }];
    for (const partial of otherOwners) {
      expect(newestText(partial)).toBeUndefined();
      history(partial).add(completedRun('foreign'));
    }
    expect(newestText()).toBe('own');
  });

  test('skips harmless and failed changes and reports that it skipped a later change', () => {
    const failure = { code: 'permission_denied', message: message('x:no'), retryable: false };
    history().add(completedRun('one'));
    history().add(
      completedRun('rejected', { outcome: { results: [{ id: 'a', label: 'a', failure }] }, inverse: undefined }),
    );
    expect([newestText(), history().newest()?.skippedLater]).toEqual(['one', true]);
    // A change that can't be undone isn't skipped.
    history().add(completedRun('irreversible', { inverse: undefined }));
    expect([newestText(), history().newest()?.entry.run.inverse]).toEqual(['irreversible', undefined]);
    history().add(completedRun('harmless', { inverse: undefined, harmless: true }));
    expect([newestText(), history().newest()?.skippedLater]).toEqual(['irreversible', true]);
  });

  test('replaces a partly undone change with the part that remains, in the same position', () => {
    history().add(completedRun('one', { inverse: [inverse(['AAAA BBBB', 'CCCC DDDD'])] }));
    const candidate = history().newest()!;
    history().add(completedRun('two'));
    history().storeRemaining(candidate, [inverse(['CCCC DDDD'])]);
    expect(newestText()).toBe('two');
    history().storeRemaining(history().newest()!, []);
    expect(history().newest()?.entry.run).toMatchObject({
      summary: candidate.entry.run.summary,
      inverse: [inverse(['CCCC DDDD'])],
    });
  });

  test('stores the resulting values of a change, to detect later changes', () => {
    const field = message('gadget:mode');
    const change = (id: string, after: Change['after']): Change => ({ id, label: id, field, before: 'x', after });
    const changes = [change('a', 'ON'), change('b', 'ON'), change('c', message('x:off')), change('d', undefined)];
    const list = (id: string, added: Change['added'], removed: Change['removed']): Change => ({
      id,
      label: id,
      field,
      ...(added ? { added } : {}),
      ...(removed ? { removed } : {}),
    });
    const lists = [list('e', ['tag'], undefined), list('f', ['tag'], undefined), list('g', [], ['tag'])];
    history().add(completedRun('one', { changes: [...changes, ...lists] }));
    const storedChanges = history().newest()?.entry.run.changes;
    expect(storedChanges?.slice(0, 4).map(({ id, after }) => [id, after])).toEqual(
      changes.map(({ id, after }) => [id, after]),
    );
    expect(storedChanges?.slice(4)).toEqual(lists);
    expect(storedChanges?.every(({ field: { key } }) => key === 'gadget:mode')).toBe(true);
    history().add(completedRun('unknown'));
    expect(history().newest()?.entry.run.changes).toBeUndefined();
  });

  test('contains no secrets, old or new', () => {
    const secrets = { password: 'hunter2', header: { 'X-Key': 'k3y', 'X-Empty': '' }, note: 'plain' };
    const reveal = { label: message('x:token'), value: 'qd_t0ken' };
    history().add(
      completedRun('one', {
        invocation: { id: 'gadget.guard', args: secrets },
        inverse: [{ id: 'gadget.guard', args: secrets }],
        outcome: { reveal, data: secrets },
      }),
    );
    const [name = ''] = readdirSync(folder());
    const text = readFileSync(join(folder(), name), 'utf8');
    for (const secret of ['hunter2', 'k3y', 'qd_t0ken']) expect(text).not.toContain(secret);
    expect(history().newest()?.entry.run.inverse).toEqual([
      { id: 'gadget.guard', args: { password: '@ask', header: { 'X-Key': '@ask', 'X-Empty': '' }, note: 'plain' } },
    ]);
  });
});

describe('history files', () => {
  test.each([
    ['incomplete JSON', '{"format":1,'],
    ['another format version', '{"format":2,"organization":"a","command":"b","changed":true}'],
    ['an array', '[]'],
    [
      'an inverse without a command id',
      '{"format":1,"organization":"a","command":"b","changed":true,"inverse":[{"id":7}]}',
    ],
    [
      'an inverse without arguments',
      '{"format":1,"organization":"a","command":"b","changed":true,"inverse":[{"id":"a.b"}]}',
    ],
    ['nothing', ''],
  ])('reports and keeps the newest file if it contains %s, and never falls back to an older change', (_, text) => {
    history().add(completedRun('one'));
    history().add(completedRun('two'));
    const [name = ''] = files().names();
    writeFileSync(files().path(name), text);
    expect(() => history().newest()).toThrow(
      expect.objectContaining({ userMessage: message('core:cli.history.unreadable', { path: files().path(name) }) }),
    );
    expect(readFileSync(files().path(name), 'utf8')).toBe(text);
    // Later changes can be undone.
    history().add(completedRun('three'));
    expect(newestText()).toBe('three');
  });

  test('keeps the order even if the clock is set back', () => {
    vi.useFakeTimers({ now: 2_000_000_000_000 });
    history().add(completedRun('one'));
    vi.setSystemTime(1_000_000_000_000);
    history().add(completedRun('two'));
    history({ account: '8' }).add(completedRun('foreign'));
    history().add(completedRun('three'));
    vi.useRealTimers();
    expect(newestText()).toBe('three');
    expect(files().names()).toHaveLength(3);
  });

  test(`keeps ${MAX_ENTRIES} files across all accounts and drops the oldest first`, () => {
    for (let index = 0; index < MAX_ENTRIES; index++)
      history(index % 2 ? {} : { account: '8' }).add(completedRun(`${index}`));
    history().add(completedRun('last'));
    expect(readdirSync(folder())).toHaveLength(MAX_ENTRIES);
    expect([files().names().length, files({ account: '8' }).names().length]).toEqual([
      MAX_ENTRIES / 2 + 1,
      MAX_ENTRIES / 2 - 1,
    ]);
    expect(newestText()).toBe('last');
  });

  test('limits the total size', () => {
    const text = 'x'.repeat(MAX_CHANGE_BYTES - 1);
    for (let index = 0; index < 4; index++) files().add(text);
    expect(files().names()).toHaveLength(2);
  });

  test('drops the resulting values of an oversized change and, if necessary, its inverse', () => {
    const text = 'x'.repeat(MAX_CHANGE_BYTES);
    const change: Change = { id: 'a', label: 'a', field: message('gadget:mode'), after: text };
    expect(history().add(completedRun('one', { changes: [change] }))).toBe(true);
    const storedRun = history().newest()?.entry.run;
    expect([storedRun?.inverse, storedRun?.changes]).toEqual([[inverse(['AAAA BBBB'])], undefined]);
    expect(history().add(completedRun('two', { inverse: [inverse([text])] }))).toBe(false);
    // Undo does not skip the change, because users would not expect it to revert an older change instead.
    expect([newestText(), history().newest()?.entry.run.inverse]).toEqual(['two', undefined]);
  });

  test('ignores the temporary file of an interrupted write', () => {
    history().add(completedRun('one'));
    const temporary = join(folder(), `${files().names()[0]}.deadbeef.tmp`);
    writeFileSync(temporary, '{"format":1');
    expect(newestText()).toBe('one');
    history().add(completedRun('two'));
    expect(existsSync(temporary)).toBe(true);
    const old = Date.now() / 1000 - 4000;
    utimesSync(temporary, old, old);
    history().add(completedRun('three'));
    expect([existsSync(temporary), files().names().length]).toEqual([false, 3]);
  });

  test('tolerates files removed by another process during a run', () => {
    history().add(completedRun('one'));
    history().add(completedRun('two'));
    const staleFiles = files();
    const names = staleFiles.names();
    staleFiles.names = () => names;
    files().remove(names[0]!);
    expect(new TerminalHistory(staleFiles, registry).newest()?.entry.run.summary?.values).toEqual({ label: 'one' });
    history().storeRemaining({ name: names[0]!, entry: history().newest()!.entry, skippedLater: false }, []);
    expect(newestText()).toBe('one');
  });

  test("does not block a change that it can't record", () => {
    writeFileSync(join(home, 'quarterdeck'), '');
    expect(() => history().safeguard(completedRun('pending'))()).not.toThrow();
  });

  test("throws the system error if a file can't be written", () => {
    history().add(completedRun('one'));
    // Root may write anywhere, so replace the folder with a file.
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), '');
    expect(() => history().add(completedRun('two'))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^E/) }),
    );
    chmodSync(folder(), 0o600);
  });
});
