import { intersectValues, valuesOf } from '#commands/kit/filter-keys.ts';
import { command } from '#commands/model/command.ts';
import type { Entity } from '#commands/model/entity.ts';
import { entity } from '#commands/model/entity.ts';
import type { Term } from '#commands/model/filter.ts';
import type { CompiledFilter, Page, Window } from '#commands/model/list.ts';
import { p, required } from '#commands/model/params.ts';
import type { Plan } from '#commands/model/plan.ts';
import { message } from '#commands/text/message.ts';

/**
 * A noun for tests of `run`, `query`, and the user interfaces. It has every kind of filter key and param, and an
 * in-memory list.
 */
export interface Gadget {
  readonly id: string;
  readonly name: string;
  readonly state: 'OK' | 'WARNING' | 'ERROR';
}

interface GadgetSelection {
  readonly terms: Term[];
  states?: string[];
  search?: string;
}

export const gadgets: Gadget[] = [
  { id: 'AAAA BBBB', name: 'North pump', state: 'OK' },
  { id: 'CCCC DDDD', name: 'South pump', state: 'ERROR' },
  { id: 'EEEE FFFF', name: 'Well 7', state: 'ERROR' },
];

const recordTerm = (selection: GadgetSelection, term: Term): void => void selection.terms.push(term);

function matches(gadget: Gadget, { terms, search }: GadgetSelection): boolean {
  if (search && !gadget.name.toLowerCase().includes(search.toLowerCase())) return false;
  return terms.every(({ key, test, negated }) => {
    if (key !== 'state' || !('values' in test)) return true;
    return test.values.includes(gadget.state) !== negated;
  });
}

export const gadget: Entity<Gadget, GadgetSelection> = entity({
  name: 'gadget',
  plural: 'gadgets',
  requires: 'VIEW_DEVICES',
  screen: { path: '/gadgets', rail: { icon: 'gauge', group: 'fleet' }, key: 'd' },
  views: [{ id: 'broken', filter: 'state:ERROR sort:-name' }],
  id: (item) => item.id,
  label: (item) => item.name,
  json: (item) => item,
  isId: (text) => /^[0-9a-f]{4} ?[0-9a-f]{4}$/i.test(text),
  toId: (text) => text.toUpperCase().replace(/^(\w{4}) ?(\w{4})$/, '$1 $2'),
  async list(_context, { selection }: CompiledFilter<GadgetSelection>, { page, size }: Window): Promise<Page<Gadget>> {
    const matching = gadgets.filter((gadget) => matches(gadget, selection));
    return { items: matching.slice(page * size, (page + 1) * size), total: matching.length };
  },
  byIds: async (_context, ids) => gadgets.filter((gadget) => ids.includes(gadget.id)),
  find: async (_context, text) => gadgets.filter((gadget) => gadget.id === text || gadget.name === text),
  search: async (_context, text, limit) =>
    gadgets.filter((gadget) => gadget.name.toLowerCase().includes(text.toLowerCase())).slice(0, limit),
  emptySelection: () => ({ terms: [] }),
  applySearch: (selection, text) => void (selection.search = text),
  filter: {
    state: {
      kind: 'choice',
      options: ['OK', 'WARNING', 'ERROR', 'NOT_SEEN'],
      negates: true,
      suggest: async () => [
        { value: 'ERROR', label: 'ERROR', count: 2 },
        { value: 'OK', label: 'OK', count: 1 },
      ],
      apply: (selection, term) => {
        if (!term.negated) selection.states = intersectValues(selection.states ?? [], valuesOf(term), term.key);
        recordTerm(selection, term);
      },
    },
    tag: { kind: 'name', negates: true, presence: true, entity: () => gadget, apply: recordTerm },
    firmware: { kind: 'text', allValues: async () => ['1.4.0', '1.4.1', '2.0', 'A*'], apply: recordTerm },
    seen: { kind: 'time', ranges: true, apply: recordTerm },
    volts: { kind: 'number', ranges: true, negates: true, apply: recordTerm },
    online: { kind: 'flag', apply: recordTerm },
  },
  sorts: ['name', 'inactivity'],
  groups: ['state'],
  columns: [
    { id: 'name', kind: 'text', width: 160, sort: 'name', value: (item) => item.name },
    { id: 'state', kind: 'health', width: 80, value: (item) => item.state },
  ],
});

/** Returns a plan with one reversible change and no items. */
export const simplePlan = async (): Promise<Plan> => ({
  summary: message('gadget:plan'),
  count: 1,
  changes: [],
  reversible: true,
});

/** A command with every kind of param. */
export const tune = command({
  id: 'gadget.tune',
  on: () => gadget,
  requires: 'EDIT_DEVICE',
  effect: 'write',
  keys: ['t'],
  params: {
    gadgets: p.many(() => gadget),
    mode: required(
      p.choice(['PENDING_MAINTENANCE', 'INSTALLED', 'DECOMMISSIONED'], {
        check: (value, { actor }) =>
          value === 'DECOMMISSIONED' && !actor.abilities.has('DEVICE_LIFECYCLE')
            ? message('gadget:onlySupport')
            : undefined,
      }),
    ),
    label: p.text(),
    volts: p.number(),
    dryRun: p.flag(),
    audible: p.optionalFlag(),
    every: p.duration(),
    from: p.time(),
    during: p.range(),
    events: p.choices(['MESSAGE_RECEIVED', 'ALARM_TRIGGERED']),
    keywords: p.words(),
    header: p.pairs(),
    password: p.secret(),
    picture: p.file({ accept: ['image/png'], maxBytes: 1024 }),
    parent: p.ref(() => gadget),
    neighbors: p.refs(() => gadget),
    only: p.query(() => gadget),
  },
  positional: ['gadgets', 'mode'],
  plan: async (_context, { gadgets: { items }, mode }) => ({
    summary: message('gadget:tune', { count: items.length }),
    count: items.length,
    changes: items.map((item) => ({
      id: item.id,
      label: item.name,
      field: message('gadget:mode'),
      before: undefined,
      after: mode,
    })),
    reversible: true,
  }),
  run: async (_context, { gadgets: { items } }) => ({
    changed: ['gadget'],
    results: items.map((item) => ({ id: item.id, label: item.name })),
  }),
  inverse: (_args, _outcome, { gadgets: target }) => [
    { id: 'gadget.tune', args: { gadgets: target, mode: 'INSTALLED' } },
  ],
});

export const reset = command({ id: 'gadget.reset', effect: 'write', plan: simplePlan, run: async () => ({}) });
