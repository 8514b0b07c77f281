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
import { LIMIT } from '#commands/run/history.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import type { Change } from '#commands/model/plan.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import type { Done } from '#commands/run/done.ts';
import { gadget, simplePlan, tune } from '#commands/testkit/gadget.ts';
import { HistoryFiles, historyFolder, MOST_BYTES_OF_ONE, type Whose } from './history-files.ts';
import { TerminalHistory } from './history.ts';

const guard = command({
  id: 'gadget.guard',
  effect: 'write',
  plan: simplePlan,
  params: { password: p.secret(), header: p.pairs({ hidden: true }), note: p.text() },
  run: async () => ({}),
});
const registry = createRegistry([{ entity: gadget, commands: [tune, guard] }]);
const whose: Whose = { server: 'http://127.0.0.1:7878', organization: 'northwind', account: '7' };

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'quarterdeck-history-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = () => historyFolder({ env: { XDG_CONFIG_HOME: home } });
const files = (partial: Partial<Whose> = {}) => new HistoryFiles(folder(), { ...whose, ...partial });
const history = (partial: Partial<Whose> = {}) => new TerminalHistory(files(partial), registry);
const inverse = (ids: readonly string[]): Invocation => ({
  id: 'gadget.tune',
  args: { gadgets: { ids }, mode: 'INSTALLED' },
});
const done = (label: string, more: Partial<Done> = {}): Done => ({
  invocation: { id: 'gadget.tune', args: { label } },
  outcome: {},
  inverse: [inverse(['AAAA BBBB'])],
  organization: 'northwind',
  summary: message('gadget:tune', { label }),
  ...more,
});
const newest = (partial?: Partial<Whose>) => history(partial).newest()?.entry.done.summary?.values?.['label'];

describe('the history of a terminal', () => {
  test('is beside the login, one change after the other, and for its owner alone', () => {
    expect(history().newest()).toBeUndefined();
    history().remember(done('one'));
    history().remember(done('two'));
    const found = history().newest();
    expect(found).toMatchObject({ behind: false, entry: { undone: false } });
    expect(found?.entry.done).toMatchObject({
      inverse: [inverse(['AAAA BBBB'])],
      organization: 'northwind',
      summary: message('gadget:tune', { label: 'two' }),
    });
    expect(folder()).toBe(join(home, 'quarterdeck', 'history'));
    const modes = readdirSync(folder()).map((name) => statSync(join(folder(), name)).mode & 0o777);
    expect([modes, statSync(folder()).mode & 0o777]).toEqual([[0o600, 0o600], 0o700]);
    history().keepLeft(found!, []);
    expect(newest()).toBe('one');
    history().keepLeft(history().newest()!, []);
    expect(history().newest()).toBeUndefined();
  });

  test('is of one server, one organization and one account', () => {
    history().remember(done('mine'));
    const others: Partial<Whose>[] = [{ server: 'http://x' }, { organization: 'acme' }, { account: '8' }];
    for (const partial of others) {
      expect(newest(partial)).toBeUndefined();
      history(partial).remember(done('theirs'));
    }
    expect(newest()).toBe('mine');
  });

  test('passes by what changed nothing, and says that it does', () => {
    const failure = { code: 'permission_denied', message: message('x:no'), retryable: false };
    history().remember(done('one'));
    history().remember(
      done('refused', { outcome: { results: [{ id: 'a', label: 'a', failure }] }, inverse: undefined }),
    );
    expect([newest(), history().newest()?.behind]).toEqual(['one', true]);
    // What has no way back is not passed by.
    history().remember(done('gone', { inverse: undefined }));
    expect([newest(), history().newest()?.entry.done.inverse]).toEqual(['gone', undefined]);
    history().remember(done('harmless', { inverse: undefined, harmless: true }));
    expect([newest(), history().newest()?.behind]).toEqual(['gone', true]);
  });

  test('keeps what is left of a change, in its place', () => {
    history().remember(done('one', { inverse: [inverse(['AAAA BBBB', 'CCCC DDDD'])] }));
    const found = history().newest()!;
    history().remember(done('two'));
    history().keepLeft(found, [inverse(['CCCC DDDD'])]);
    expect(newest()).toBe('two');
    history().keepLeft(history().newest()!, []);
    expect(history().newest()?.entry.done).toMatchObject({
      summary: found.entry.done.summary,
      inverse: [inverse(['CCCC DDDD'])],
    });
  });

  test('knows what a change left behind, to see what changed since', () => {
    const field = message('gadget:mode');
    const change = (id: string, after: Change['after']): Change => ({ id, label: id, field, before: 'x', after });
    const left = [change('a', 'ON'), change('b', 'ON'), change('c', message('x:off')), change('d', undefined)];
    history().remember(done('one', { left: [...left, { id: 'e', label: 'e', field, added: ['tag'] }] }));
    const kept = history().newest()?.entry.done.left;
    expect(kept?.map(({ id, after }) => [id, after])).toEqual(left.map(({ id, after }) => [id, after]));
    expect(kept?.every(({ field: { key } }) => key === 'gadget:mode')).toBe(true);
    history().remember(done('unknown'));
    expect(history().newest()?.entry.done.left).toBeUndefined();
  });

  test('has no secret: neither what was given nor what was there before', () => {
    const secrets = { password: 'hunter2', header: { 'X-Key': 'k3y', 'X-Empty': '' }, note: 'said' };
    const reveal = { label: message('x:token'), value: 'qd_t0ken' };
    history().remember(
      done('one', {
        invocation: { id: 'gadget.guard', args: secrets },
        inverse: [{ id: 'gadget.guard', args: secrets }],
        outcome: { reveal, data: secrets },
      }),
    );
    const [name = ''] = readdirSync(folder());
    const text = readFileSync(join(folder(), name), 'utf8');
    for (const secret of ['hunter2', 'k3y', 'qd_t0ken']) expect(text).not.toContain(secret);
    expect(history().newest()?.entry.done.inverse).toEqual([
      { id: 'gadget.guard', args: { password: '@ask', header: { 'X-Key': '@ask', 'X-Empty': '' }, note: 'said' } },
    ]);
  });
});

describe('files of the history', () => {
  test.each([
    ['no JSON', '{"format":1,'],
    ['another form', '{"format":2,"organization":"a","command":"b","changed":true}'],
    ['JSON of something else', '[]'],
    ['an inverse that is none', '{"format":1,"organization":"a","command":"b","changed":true,"inverse":[{"id":7}]}'],
    [
      'an inverse without arguments',
      '{"format":1,"organization":"a","command":"b","changed":true,"inverse":[{"id":"a.b"}]}',
    ],
    ['nothing', ''],
  ])('with %s are named and stay, and nothing older is undone', (_, text) => {
    history().remember(done('one'));
    history().remember(done('two'));
    const [name = ''] = files().names();
    writeFileSync(files().path(name), text);
    expect(() => history().newest()).toThrow(
      expect.objectContaining({ userMessage: message('core:cli.history.unreadable', { path: files().path(name) }) }),
    );
    expect(readFileSync(files().path(name), 'utf8')).toBe(text);
    // What is done from now on can be undone.
    history().remember(done('three'));
    expect(newest()).toBe('three');
  });

  test('are in the order of what was done, also when the clock was set back', () => {
    vi.useFakeTimers({ now: 2_000_000_000_000 });
    history().remember(done('one'));
    vi.setSystemTime(1_000_000_000_000);
    history().remember(done('two'));
    history({ account: '8' }).remember(done('theirs'));
    history().remember(done('three'));
    vi.useRealTimers();
    expect(newest()).toBe('three');
    expect(files().names()).toHaveLength(3);
  });

  test(`are ${LIMIT} at most, whoever they are of; the oldest goes first`, () => {
    for (let at = 0; at < LIMIT; at++) history(at % 2 ? {} : { account: '8' }).remember(done(`${at}`));
    history().remember(done('last'));
    expect(readdirSync(folder())).toHaveLength(LIMIT);
    expect([files().names().length, files({ account: '8' }).names().length]).toEqual([LIMIT / 2 + 1, LIMIT / 2 - 1]);
    expect(newest()).toBe('last');
  });

  test('take no more room in all than two of the longest, and the newest is always kept', () => {
    const text = 'x'.repeat(MOST_BYTES_OF_ONE - 1);
    for (let at = 0; at < 4; at++) files().add(text);
    expect(files().names()).toHaveLength(2);
  });

  test('lose what is only compared with where a change is too long, then the change, which is said', () => {
    const text = 'x'.repeat(MOST_BYTES_OF_ONE);
    const left: Change = { id: 'a', label: 'a', field: message('gadget:mode'), after: text };
    expect(history().remember(done('one', { left: [left] }))).toBe(true);
    const kept = history().newest()?.entry.done;
    expect([kept?.inverse, kept?.left]).toEqual([[inverse(['AAAA BBBB'])], undefined]);
    expect(history().remember(done('two', { inverse: [inverse([text])] }))).toBe(false);
    // It is not passed by: taking back what was done before it would surprise.
    expect([newest(), history().newest()?.entry.done.inverse]).toEqual(['two', undefined]);
  });

  test('are written as a whole: what another process left half-written is no change, and goes after an hour', () => {
    history().remember(done('one'));
    const half = join(folder(), `${files().names()[0]}.deadbeef.tmp`);
    writeFileSync(half, '{"format":1');
    expect(newest()).toBe('one');
    history().remember(done('two'));
    expect(existsSync(half)).toBe(true);
    const old = Date.now() / 1000 - 4000;
    utimesSync(half, old, old);
    history().remember(done('three'));
    expect([existsSync(half), files().names().length]).toEqual([false, 3]);
  });

  test('that another process takes back meanwhile are no problem', () => {
    history().remember(done('one'));
    history().remember(done('two'));
    const mine = files();
    const names = mine.names();
    mine.names = () => names;
    files().remove(names[0]!);
    expect(new TerminalHistory(mine, registry).newest()?.entry.done.summary?.values).toEqual({ label: 'one' });
    history().keepLeft({ name: names[0]!, entry: history().newest()!.entry, behind: false }, []);
    expect(newest()).toBe('one');
  });

  test('that cannot be written are said with their reason, and leave no rest', () => {
    history().remember(done('one'));
    // Root may write anywhere, so that the folder has to be no folder.
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), '');
    expect(() => history().remember(done('two'))).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^E/) }),
    );
    chmodSync(folder(), 0o600);
  });
});
