import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Capability } from '#commands/model/host.ts';
import { registry } from '#commands/nouns/all.ts';
import { testContext } from '#commands/testkit/context.ts';
import { bindingsFor } from '#src/keymap/bindings.ts';
import type { Binding } from '#src/keymap/resolver.ts';

import { listenForKeys } from './listen.ts';
import { createEvents, LAYOUTS, type LayoutName } from './testkit/layouts.ts';

const capabilities = [...new Set(registry.commands.flatMap(({ needs = [] }) => needs))];

/** Creates a host with the given capabilities. Only their presence matters here. */
const hostWith = (names: readonly Capability[]): Context['host'] =>
  Object.fromEntries(names.map((name) => [name, {}])) as Context['host'];

// On an AZERTY keyboard, the minus is on the key of the sixth view. A chart covers the views, and takes the key.
const commonCapabilities = capabilities.filter(
  (name) => !['table', 'output', 'chart', 'timeline', 'bench', 'focusedForm'].includes(name),
);
const onChart = [...commonCapabilities, 'chart'] as const;
const onTimeline = [...commonCapabilities, 'timeline'] as const;
const onBench = [...commonCapabilities, 'bench'] as const;
const onForm = [...commonCapabilities, 'focusedForm'] as const;
const onTable = [...commonCapabilities, 'table'] as const;

const home = testContext().organization;
const supportSession = { reason: 'ticket 4711', expiresAt: new Date('2026-03-11T13:00:00Z'), changesAllowed: false };
const readOnly = { ...home, awayFromHome: true, supportSession } as unknown as Context['organization'];
const support = {
  ...readOnly,
  supportSession: { ...supportSession, changesAllowed: true },
} as unknown as Context['organization'];

/** Returns every context that keys can be pressed in, with its name. */
function contexts(): readonly (readonly [name: string, context: Context])[] {
  const host = hostWith(onTable);
  const entityContexts = ({ name: entity }: AnyEntity): readonly (readonly [string, Context])[] => [
    [`the table of ${entity}`, testContext({ host, focus: { entity } })],
    [`an active row of ${entity}`, testContext({ host, focus: { entity, active: '1' } })],
    [`a selection of ${entity}`, testContext({ host, focus: { entity, target: { ids: ['1', '2'] }, count: 2 } })],
    [
      `the panel of ${entity} on a page`,
      testContext({ host: hostWith(commonCapabilities), focus: { entity, active: '1' } }),
    ],
    [`${entity} in a read-only support session`, testContext({ host, focus: { entity }, organization: readOnly })],
    [`${entity} in a support session`, testContext({ host, focus: { entity }, organization: support })],
  ];
  const pages = [
    ['a page', testContext({ host: hostWith(commonCapabilities) })],
    ['a chart', testContext({ host: hostWith(onChart) })],
    ['a form', testContext({ host: hostWith(onForm) })],
    ['the parser bench', testContext({ host: hostWith(onBench) })],
    ['a timeline', testContext({ host: hostWith(onTimeline), focus: { entity: 'process-point', active: '1' } })],
  ] as const;
  return [...pages, ...registry.entities.flatMap(entityContexts)];
}

let current: readonly Binding[] = [];
let commandIds: string[] = [];
let stop: () => void;

beforeEach(() => {
  stop = listenForKeys({
    bindings: () => current,
    singleKeys: () => true,
    run: (bindings) => commandIds.push(bindings.map(({ command }) => command.id).join(' and ')),
  });
});
afterEach(() => stop());

const layouts = Object.keys(LAYOUTS) as LayoutName[];

describe.each(layouts)('on a %s keyboard', (layout) => {
  /** Presses every key of a context and returns the keys that do not run exactly their own command. */
  function wrongKeys(bindings: readonly Binding[]): readonly string[] {
    current = bindings;
    return bindings.flatMap(({ command, keys }) => {
      commandIds = [];
      for (const event of createEvents(keys, layout)) document.body.dispatchEvent(event);
      return commandIds.length === 1 && commandIds[0] === command.id
        ? []
        : [`${keys}: ${commandIds.join() || 'nothing'}, not ${command.id}`];
    });
  }

  test('every key runs its own command, on every screen and panel', () => {
    // Contexts with the same bindings are tested once.
    const rounds = new Map<string, readonly [string, readonly Binding[]]>();
    for (const [name, context] of contexts()) {
      const bindings = bindingsFor(registry, context, {});
      rounds.set(bindings.map(({ command, keys }) => `${command.id} ${keys}`).join(), [name, bindings]);
    }
    expect(rounds.size).toBeGreaterThan(registry.entities.length);
    expect(
      [...rounds.values()].flatMap(([name, bindings]) => wrongKeys(bindings).map((key) => `${name}: ${key}`)),
    ).toEqual([]);
  });
});

test('keys mean the same in and out of a support session', () => {
  const keysOf = (context: Context) =>
    bindingsFor(registry, context, {}).map(({ command, keys }) => [command.id, keys]);
  for (const { name: entity } of registry.entities) {
    const ownKeys = keysOf(testContext({ host: hostWith(onTable), focus: { entity } }));
    for (const organization of [readOnly, support]) {
      expect(keysOf(testContext({ host: hostWith(onTable), focus: { entity }, organization }))).toEqual(ownKeys);
    }
  }
});
