import { abilities, type Ability } from '#commands/model/ability.ts';
import type { Context } from '#commands/model/context.ts';

/** Creates a context without a server, for tests of commands that make no calls. */
export function testContext(overrides: Partial<Context> = {}): Context {
  const none = { all: false, names: new Set<string>() };
  const context: Context = {
    api: () => {
      throw new Error('This test has no server.');
    },
    actor: {
      id: '1',
      name: 'Tess Ter',
      email: 'tess@example.com',
      home: 'northwind',
      grants: { organization: none, user: none, support: none },
      abilities: new Set(Object.keys(abilities) as Ability[]),
    },
    organization: { id: 'northwind', name: 'Northwind Energy', features: new Set(), awayFromHome: false },
    preferences: {},
    focus: undefined,
    host: {},
    signal: new AbortController().signal,
    progress: () => undefined,
    now: () => new Date('2026-03-11T12:00:00Z'),
    loadCached: (_key, load) => load(context),
    ...overrides,
  };
  return context;
}
