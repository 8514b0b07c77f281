// @vitest-environment node
// The server runs in this process. There is no browser and so no stored habits, which these queries rely on.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, ownText, translateWith } from '#commands/locales/i18n.ts';
import type { Context } from '#commands/model/context.ts';
import { registry } from '#commands/nouns/all.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { contextAs, type as run } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import type { CommandListing } from './rows/command-rows.ts';
import { idListSource } from './rows/id-lists.ts';
import { parseScope } from './rows/prefixes.ts';
import { rank } from './rows/rank.ts';
import type { SearchRow } from './rows/search-rows.ts';
import { immediateResults, asyncSources } from './rows/sources.ts';

/** Queries that an operator types on the devices screen, with the expected row. */
const queries: readonly (readonly [query: string, expected: string])[] = [
  ['lifecycle', 'Set lifecycle'],
  ['act as ac', 'Act as an organization'],
  ['{half}', '{name}'],
  ['{number}', '{name}'],
  ['assign', 'Assign tag'],
  ['csv', 'Download as CSV'],
  ['sign out', 'Sign out'],
  ['theme', 'Set theme'],
  ['webhok', 'Go to webhooks'],
  ['undo', 'Undo'],
  ['density', 'Set density'],
  ['invite', 'Invite user'],
  ['token', 'Go to tokens'],
  ['sort', 'Sort by'],
  ['battery', 'Log battery replacement'],
  ['gijs', 'Gijs Bakker'],
  ['units', 'Set units'],
  ['create device', 'Create device'],
  ['mail', 'Go to your email preferences'],
  ['merlin 8', 'Merlin 8'],
  ['needs visit', 'Needs visit'],
  ['help', 'What works here'],
  ['password', 'Change password'],
  ['permian', 'Permian'],
  ['merlin', 'Merlin 8'],
  ['anna', 'Anna Vermeer'],
  ['inst', 'Set lifecycle: Installed'],
  ['err', 'In error'],
  ['silent', 'Silent over 2 days'],
  ['second hook', 'second hook'],
  ['new hook', 'Create webhook'],
  ['logout', 'Sign out'],
  ['export', 'Download as CSV'],
  ['devics', 'Go to devices'],
  ['api key', 'Create token'],
  ['2fa', 'Set up second factors'],
  ['shortcuts', 'What works here'],
  ['settings', 'Go to your preferences'],
  ['delete device', 'Set lifecycle'],
  ['history', 'Undo'],
  ['full screen', 'Collapse or expand the rail'],
  ['group', 'Go to tags'],
  ['dark', 'Set theme: Dark'],
  ['pump', 'Filter Devices by “pump”'],
  ['columns', 'Sort by'],
  ['keyboard', 'What works here'],
  ['decommission', 'Set lifecycle: Decommissioned'],
  ['notifications', 'Go to your email preferences'],
  ['refresh', 'Refresh'],
  ['rename {half}', 'Rename device: {name}'],
];

/** Additional queries, whose expected row must come first. */
const strictQueries: readonly (readonly [query: string, expected: string])[] = [
  ['broken', 'In error'],
  ['faulty devices', 'In error'],
  ['offline', 'Silent over 2 days'],
  ['no signal', 'Silent over 2 days'],
  ['low battery', 'Log battery replacement'],
  ['select all', 'Select all that match'],
  ['edit devices', 'Edit device'],
  ['edit device', 'Edit device'],
  ['delete tags', 'Delete tag'],
  ['suspend users', 'Suspend user'],
  ['decomissioned', 'Set lifecycle: Decommissioned'],
  ['paused {half}', 'Set lifecycle: Paused · {name}'],
];

/** Ways to write a device number. The device must come first. */
const numberSpellings: readonly ((number: string) => string)[] = [
  (text) => text,
  (text) => text.toLowerCase(),
  (text) => text.replace(' ', '-'),
  (text) => text.toLowerCase().replace(' ', '-'),
  (text) => text.replace(' ', ''),
  (text) => ` ${text.toLowerCase().replace(' ', '  ')} `,
  (text) => text.toLowerCase().replace(' ', '-').slice(0, 8),
  (text) => text.toLowerCase().slice(0, 8),
];

/** Queries in the Dutch locale, whose expected row must come first. */
const dutchQueries: readonly (readonly [query: string, expected: string])[] = [
  ['etiket', 'Assign tag'],
  ['apparaten', 'Go to devices'],
  ['uitloggen', 'Sign out'],
  ['donker', 'Set theme'],
  ['sneltoetsen', 'What works here'],
  ['logout', 'Sign out'],
  ['kapot', 'In error'],
  ['broken', 'In error'],
  ['alles selecteren', 'Select all that match'],
];

const noop = (): void => undefined;
const table = { filterText: () => '', entityName: () => 'device', activeRowId: () => undefined, columns: () => [] };
const panel = { isOpen: () => false, isItemOpen: () => false, isFullScreen: () => false };

let server: TestServer;
let listing: CommandListing;
/** The device number that replaces the placeholders in the queries. */
let number: string;

const fillIn = (text: string): string =>
  text
    .replace('{half}', number.slice(0, 4).toLowerCase())
    .replace('{number}', number.toLowerCase())
    .replace('{name}', 'Tubing pressure, Kestrel 2');

/** The host capabilities that determine which commands the palette offers. */
const host = {
  csv: {},
  navigate: noop,
  link: { current: () => 'https://console.example.com/devices' },
  clipboard: {},
  line: {},
  history: {},
  work: {},
  loads: {},
  keys: { print: () => '{}', problem: () => undefined },
  settings: { get: () => ({}) },
  session: {},
  rail: {},
  help: {},
  palette: {},
  form: {},
  identity: { current: () => ({ providers: ['password'], emailVerified: true, factors: [] }) },
  table,
  panel,
} as unknown as Context['host'];

beforeAll(async () => {
  vi.stubGlobal('window', { localStorage: { getItem: () => null } });
  server = await startTestServer();
  const administrator = await contextAs(server, 'administrator');
  const { items } = await registry
    .entity('device')!
    .list(administrator, { selection: registry.entity('device')!.emptySelection(), sort: [] }, { page: 0, size: 9 });
  const ids = items.map((item) => registry.entity('device')!.id(item));
  number = ids[2]!;
  await run(administrator, `device rename '${ids[0]}' 'Annulus A pressure, Merlin 8'`);
  await run(administrator, `device rename '${number}' 'Tubing pressure, Kestrel 2'`);
  await run(administrator, `tag assign '${ids[0]}' --tag 'Needs visit'`);
  await run(administrator, "user create gijs@northwind.example 'Gijs Bakker' --roles viewer");
  for (const name of ['Merlin 8', 'Merlin 10', 'Permian']) await run(administrator, `tag create '${name}'`);
  await run(administrator, "webhook create https://example.com/in --description 'second hook'");
  const context: Context = { ...administrator, host, focus: { entity: 'device', active: ids[1]! } };
  listing = await createListing('en', context);
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

const dutchStrings = import.meta.glob('/commands/nouns/*/*/nl.json', { eager: true, import: 'default' });

async function createListing(language: string, context: Context): Promise<CommandListing> {
  const i18n = await createTranslator(language, resources);
  for (const [path, strings] of Object.entries(dutchStrings))
    i18n.addResourceBundle('nl', path.split('/').at(-2)!, strings);
  const translate = translateWith(i18n);
  return {
    registry,
    context,
    language,
    translate,
    t: (key, values) => translate({ key: `running:${key}`, ...(values ? { values } : {}) }),
    keys: () => undefined,
    words: (...key) => ownText(i18n, ...key),
  };
}

/** Returns the palette's complete results for a query. */
async function search(query: string, target: CommandListing = listing): Promise<readonly SearchRow[]> {
  const scope = parseScope(query);
  const results = await Promise.all(
    asyncSources(scope, false, target).map(async (source) => source.rows(await source.load(target.context), true)),
  );
  return rank([...immediateResults(scope, false, target), ...results.flat()], scope.query);
}

function positionOf(rows: readonly SearchRow[], expected: string): number {
  return 1 + rows.findIndex(({ label }) => label === expected);
}

describe("an operator's queries", () => {
  test('rank the intended row first in at least 45 of 50, and among the first three in all', async () => {
    const ranks: { query: string; position: number; first: string | undefined }[] = [];
    for (const [query, expected] of queries) {
      const rows = await search(fillIn(query));
      ranks.push({ query, position: positionOf(rows, fillIn(expected)), first: rows[0]?.label });
    }
    expect(ranks).toHaveLength(50);
    expect(ranks.filter(({ position }) => position < 1 || position > 3)).toEqual([]);
    const notFirst = ranks.filter(({ position }) => position !== 1);
    expect(notFirst.length, JSON.stringify(notFirst)).toBeLessThanOrEqual(5);
  });

  test.each(strictQueries)('such as %s find %s', async (query, expected) => {
    expect((await search(fillIn(query)))[0]?.label).toBe(fillIn(expected));
  });

  test.each(numberSpellings)('find a device by its number in any notation: %s', async (spell) => {
    const rows = await search(spell(number));
    expect([spell(number), rows[0]?.label]).toEqual([spell(number), fillIn('{name}')]);
  });

  test.each(dutchQueries)('such as %s find %s in Dutch', async (query, expected) => {
    const rows = await search(query, await createListing('nl', listing.context));
    expect(rows[0]?.label).toBe(expected);
  });
});

describe("the palette's results", () => {
  test('list unavailable rows last, with the reason', async () => {
    const viewer: Context = { ...(await contextAs(server, 'viewer')), host, focus: { entity: 'device' } };
    const rows = await search('set', await createListing('en', viewer));
    const disabledStates = rows.map(({ reason }) => reason !== undefined);
    const first = disabledStates.indexOf(true);
    expect(first).toBeGreaterThan(0);
    expect(rows.slice(first).filter(({ reason, id }) => reason === undefined && id !== 'filter')).toEqual([]);
    expect(rows[first]?.reason).toContain('permission');
  });

  test('combine a verb with its object', async () => {
    const [tag] = await search('tag needs');
    expect(tag).toMatchObject({
      label: 'Assign tag: Needs visit',
      invocation: { id: 'tag.assign', args: { tag: 'Needs visit' } },
    });
    const [deleteRow] = await search('delete tag permian');
    expect(deleteRow).toMatchObject({ label: 'Delete tag: Permian', detail: 'Group · 0 devices', kind: 'tag' });
    const [suspendRow] = await search('suspend gijs');
    expect(suspendRow).toMatchObject({
      label: 'Suspend user: Gijs Bakker',
      detail: 'gijs@northwind.example',
      kind: 'user',
    });
    const [paused] = await search('lifecycle paused');
    expect(paused?.invocation).toEqual({ id: 'device.set-lifecycle', args: { lifecycle: 'PAUSED' } });
  });

  test('show several pasted items with a filter that matches exactly these items', async () => {
    const otherNumber = String(listing.context.focus?.active);
    const source = idListSource(`${number}, ${otherNumber}`, listing);
    const [row] = rank([...(source?.rows(await source.load(listing.context), true) ?? [])], '');
    expect(row?.label).toBe('Show 2 devices');
    const device = registry.entity('device')!;
    const text = row?.invocation?.args.filter;
    const { filter, problems } = parseFilter(typeof text === 'string' ? text : '', device);
    expect(problems).toEqual([]);
    expect(filter.terms).toEqual([{ key: 'number', negated: false, test: { values: [number, otherNumber].sort() } }]);
  });

  test('name the param of a value that several params accept', async () => {
    const rows = await search('metric');
    const labels = rows.map(({ label, detail }) => `${label} ${detail ?? ''}`);
    expect(labels).toContain('Set units: Metric: mm, m, km Distance');
    expect(labels).toEqual([...new Set(labels)]);
    expect(await search('distance imperial')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ label: expect.stringMatching(/^Set units: Imperial: /), detail: 'Distance' }),
      ]),
    );
  });

  test("omit views that the user can't open", async () => {
    const viewer: Context = { ...(await contextAs(server, 'viewer')), host, focus: { entity: 'device' } };
    const rows = await search('failing', await createListing('en', viewer));
    expect(rows.filter(({ label }) => label === 'Failing')).toEqual([]);
  });
});
