import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, expect, test, vi } from 'vitest';

import type { FileContent } from '#commands/model/files.ts';
import type { ConsoleLocation, FilesHost } from '#commands/model/host.ts';
import type { TableHost } from '#commands/model/screen-hosts.ts';
import { forgetUser } from '#src/session/organization.ts';
import { tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { canceledRunAtom, lastResultsAtom, reportAtom, runningCommandsAtom } from '#src/state/work.ts';

import { provide } from './context.ts';
import { selectResults, showResults } from './results.ts';
import { retry } from './runner.ts';
import { saveResults } from './save-results.ts';
import { confirm, lightLamps, newestToast, setUpLamps } from './testkit/lamp-runs.ts';
import { pause as holdCalls, rejectChanges } from './testkit/lamps.ts';

vi.mock('#src/registry/loaders.ts', async () => (await import('./testkit/lamps.ts')).loaders);

setUpLamps();
afterEach(() => {
  store.set(tableHostAtom, undefined);
  store.set(lastResultsAtom, undefined);
});

/** Shows a table of an entity and returns the selections that are made in it. */
function showTable(entity: string): readonly unknown[] {
  const selections: unknown[] = [];
  const table: Partial<TableHost> = { entityName: () => entity, select: (target) => selections.push(target) };
  store.set(tableHostAtom, table as TableHost);
  return selections;
}

const throwsMessage = (key: string) => expect.objectContaining({ userMessage: { key } });

/** Lights `a`, fails to light `b`, and cancels before `c`. */
async function lightOneOfThree(error: ConnectError): Promise<void> {
  const resumeCalls = holdCalls();
  rejectChanges('b', error);
  await lightLamps('a', 'b', 'c');
  const running = confirm();
  const stop = store.sub(runningCommandsAtom, () => {
    const [task] = store.get(runningCommandsAtom);
    if (task?.progress?.done === 2) task.cancel();
  });
  resumeCalls();
  await running;
  stop();
}

const stuck = new ConnectError('stuck', Code.FailedPrecondition);

test('selects the items of the last run by their result', async () => {
  await lightOneOfThree(stuck);
  const selections = showTable('lamp');
  for (const kind of ['done', 'failed', 'skipped'] as const) selectResults(kind);
  expect(selections).toEqual([{ ids: ['a'] }, { ids: ['b'] }, { ids: ['c'] }]);
  expect(() => selectResults('unknown')).toThrow(throwsMessage('running:history.noneWith.unknown'));
});

test('tells items without a response from failed ones', async () => {
  await lightOneOfThree(new ConnectError('away', Code.Unavailable));
  const selections = showTable('lamp');
  selectResults('unknown');
  expect(selections).toEqual([{ ids: ['b'] }]);
  expect(() => selectResults('failed')).toThrow(throwsMessage('running:history.noneWith.failed'));
});

test('shows the results of a run without failures, and closes them when items are selected', async () => {
  await lightLamps('a', 'b');
  await confirm();
  expect(store.get(reportAtom)).toBeUndefined();
  showResults();
  expect(store.get(reportAtom)?.outcome.results?.map(({ id }) => id)).toEqual(['a', 'b']);
  showTable('lamp');
  selectResults('done');
  expect(store.get(reportAtom)).toBeUndefined();
});

test('closes the results when the failed items are retried', async () => {
  await lightOneOfThree(stuck);
  expect(store.get(reportAtom)).toBeDefined();
  rejectChanges(undefined);
  await retry();
  expect(store.get(reportAtom)).toBeUndefined();
});

test('opens the table of the items first, and selects nothing if the user goes elsewhere', async () => {
  const locations: ConsoleLocation[] = [];
  provide({ navigate: (location) => locations.push(location) });
  await lightOneOfThree(stuck);
  showTable('crane');
  selectResults('failed');
  expect(locations).toEqual([{ path: '/lamps' }]);
  const selections = showTable('lamp');
  expect(selections).toEqual([{ ids: ['b'] }]);
  showTable('crane');
  expect(showTable('lamp')).toEqual([]);
  showTable('crane');
  selectResults('failed');
  showTable('fan');
  expect(showTable('lamp')).toEqual([]);
});

test('are those of this user in this organization', async () => {
  expect(() => showResults()).toThrow(throwsMessage('running:history.nothingToShow'));
  await lightLamps('a', 'b');
  await confirm();
  const session = store.get(userSessionAtom)!;
  store.set(userSessionAtom, { ...session, organization: { ...session.organization, id: 'acme' } });
  expect(() => showResults()).toThrow(throwsMessage('running:history.nothingToShow'));
  store.set(userSessionAtom, session);
  showResults();
  forgetUser();
  expect(() => showResults()).toThrow(throwsMessage('running:history.nothingToShow'));
});

test('say why items were not tried', async () => {
  await lightOneOfThree(stuck);
  expect(newestToast()?.detail).toBe("Canceled: 1 wasn't tried.");
  const canceledRun = store.get(canceledRunAtom)!;
  const { settle } = await import('./settle.ts');
  const { registry } = await import('#src/registry/registry.ts');
  const command = registry().command('lamp.light')!;
  const preparedRun = { command, args: {}, resolved: {}, plan: undefined, confirm: false };
  settle({ ...canceledRun, stopped: true }, preparedRun, () => undefined);
  expect(newestToast()).toMatchObject({
    detail: "Stopped because more than 5% failed: 1 wasn't tried.",
    action: { label: 'Continue with the remaining 1' },
  });
});

test('saves all results with their reasons as CSV', async () => {
  const saved: FileContent[] = [];
  provide({ files: { save: async (file: FileContent) => (saved.push(file), file.name) } as unknown as FilesHost });
  await lightOneOfThree(stuck);
  expect(await saveResults()).toMatch(/^results-\d{4}-\d\d-\d\d\.csv$/);
  expect(new TextDecoder().decode(saved[0]?.bytes).split('\r\n')).toEqual([
    'ID,Name,Result,Reason',
    'a,a,Done,',
    'b,b,Failed,stuck',
    'c,c,Not tried,',
    '',
  ]);
});
