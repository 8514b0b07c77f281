// @vitest-environment node
// The server runs in this process. Of the browser, only the habits are missing: nobody has any.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import type { Context } from '#commands/model/context.ts';
import { contextAs, type as run } from '#commands/testkit/server.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import * as resources from '#commands/nouns/texts.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import consoleTexts from '#src/locales/en/console.json';
import { foundHere, sourcesOf } from './rows/answer.ts';
import type { CommandListing } from './rows/command-rows.ts';
import { namedSource } from './rows/named-items.ts';
import { scopeOf } from './rows/prefixes.ts';
import { rank } from './rows/rank.ts';
import type { SearchRow } from './rows/search-rows.ts';

/** What a demanding operator typed on the devices screen, and the row that was meant. */
const queries: readonly (readonly [query: string, wanted: string])[] = [
  ['lifecycle', 'Set lifecycle'],
  ['act as ac', 'Act as organization'],
  ['{half}', '{name}'],
  ['{number}', '{name}'],
  ['assign', 'Assign tag'],
  ['csv', 'Copy as'],
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
  ['export', 'Copy as'],
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

/** What operators typed since. */
const more: readonly (readonly [query: string, wanted: string])[] = [
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
];

/** In the Dutch locale. */
const dutch: readonly (readonly [query: string, wanted: string])[] = [
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

const nothing = (): void => undefined;
const table = { filter: () => '', entity: () => 'device' };
const panel = { isOpen: () => false };

let server: TestServer;
let listing: CommandListing;
/** Of a device: what stands for it in the queries is replaced. */
let number: string;

const ofDevice = (text: string): string =>
  text
    .replace('{half}', number.slice(0, 4).toLowerCase())
    .replace('{number}', number.toLowerCase())
    .replace('{name}', 'Tubing pressure, Kestrel 2');

/** A console as far as what it offers depends on it. */
const host = {
  navigate: nothing,
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
  listing = await listingIn('en', context);
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

async function listingIn(language: string, context: Context): Promise<CommandListing> {
  const i18n = await createTranslator(language, resources);
  i18n.addResourceBundle('en', 'console', consoleTexts);
  const say = translateWith(i18n);
  return {
    registry,
    context,
    language,
    say,
    text: (key, values) => say({ key: `console:${key}`, ...(values ? { values } : {}) }),
    keys: () => undefined,
  };
}

/** What the palette answers once everything was found. */
async function answer(query: string, on: CommandListing = listing): Promise<readonly SearchRow[]> {
  const scope = scopeOf(query);
  const found = await Promise.all(
    sourcesOf(scope, false, on).map(async (source) => source.rows(await source.load(on.context), true)),
  );
  return rank([...foundHere(scope, false, on), ...found.flat()]);
}

function placeOf(rows: readonly SearchRow[], wanted: string): number {
  return 1 + rows.findIndex(({ label }) => label === wanted);
}

describe('fifty queries of an operator', () => {
  it('put the row that is meant first in 45, and among the first three in all of them', async () => {
    const placed: { query: string; place: number; first: string | undefined }[] = [];
    for (const [query, wanted] of queries) {
      const rows = await answer(ofDevice(query));
      placed.push({ query, place: placeOf(rows, ofDevice(wanted)), first: rows[0]?.label });
    }
    expect(placed).toHaveLength(50);
    expect(placed.filter(({ place }) => place < 1 || place > 3)).toEqual([]);
    const notFirst = placed.filter(({ place }) => place !== 1);
    expect(notFirst.length, JSON.stringify(notFirst)).toBeLessThanOrEqual(5);
  });

  it.each(more)('%s means %s', async (query, wanted) => {
    expect((await answer(query))[0]?.label).toBe(wanted);
  });

  it.each(dutch)('%s means %s in Dutch', async (query, wanted) => {
    const rows = await answer(query, await listingIn('nl', listing.context));
    expect(rows[0]?.label).toBe(wanted);
  });
});

describe('what the palette answers', () => {
  it('has what cannot be done last, and says why', async () => {
    const viewer: Context = { ...(await contextAs(server, 'viewer')), host, focus: { entity: 'device' } };
    const rows = await answer('set', await listingIn('en', viewer));
    const disabled = rows.map(({ reason }) => reason !== undefined);
    const first = disabled.indexOf(true);
    expect(first).toBeGreaterThan(0);
    expect(rows.slice(first).filter(({ reason, id }) => reason === undefined && id !== 'filter')).toEqual([]);
    expect(rows[first]?.reason).toContain('permission');
  });

  it('gives a verb its object', async () => {
    const [tag] = await answer('tag needs');
    expect(tag).toMatchObject({
      label: 'Assign tag: Needs visit',
      invocation: { id: 'tag.assign', args: { tag: 'Needs visit' } },
    });
    const [paused] = await answer('lifecycle paused');
    expect(paused?.invocation).toEqual({ id: 'device.set-lifecycle', args: { lifecycle: 'PAUSED' } });
  });

  it('shows several items by a filter that reads them as they were pasted', async () => {
    const other = String(listing.context.focus?.active);
    const source = namedSource(`${number}, ${other}`, listing);
    const [shown] = rank([...(source?.rows(await source.load(listing.context), true) ?? [])]);
    expect(shown?.label).toBe('Show 2 devices');
    const device = registry.entity('device')!;
    const text = shown?.invocation?.args.filter;
    const { filter, problems } = parseFilter(typeof text === 'string' ? text : '', device);
    expect(problems).toEqual([]);
    expect(filter.terms).toEqual([{ key: 'number', negated: false, test: { values: [number, other].sort() } }]);
  });

  it('says what a value is of where a command takes it for several', async () => {
    const rows = await answer('metric');
    const shown = rows.map(({ label, detail }) => `${label} ${detail ?? ''}`);
    expect(shown).toContain('Set units: Metric Distance');
    expect(shown).toEqual([...new Set(shown)]);
    expect(await answer('distance imperial')).toEqual(
      expect.arrayContaining([expect.objectContaining({ label: 'Set units: Imperial', detail: 'Distance' })]),
    );
  });

  it('finds what a viewer may see, and offers no view of what nobody may open', async () => {
    const viewer: Context = { ...(await contextAs(server, 'viewer')), host, focus: { entity: 'device' } };
    const rows = await answer('failing', await listingIn('en', viewer));
    expect(rows.filter(({ label }) => label === 'Failing')).toEqual([]);
  });
});
