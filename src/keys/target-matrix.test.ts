import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { targetParam, type Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import type { NamedTarget } from '#commands/model/target.ts';
import { registry } from '#commands/nouns/all.ts';
import type { VisibleTargets } from '#commands/run/focus.ts';
import { testContext } from '#commands/testkit/context.ts';
import { message } from '#commands/text/message.ts';
import { bindingsFor } from '#src/keymap/bindings.ts';
import type { Binding } from '#src/keymap/resolver.ts';
import { contextNow, provide } from '#src/run/context.ts';
import { createIntent, type Intent } from '#src/run/draft.ts';
import { visibleTargetsAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { listenForKeys } from './listen.ts';
import { pickCommand } from './start.ts';

/** The state of a screen and its expected target, written out here rather than computed by the code under test. */
interface Situation {
  readonly name: string;
  readonly shown: VisibleTargets;
  readonly entity: string;
  readonly target: NamedTarget | undefined;
}

const name = message('core:target.item', { name: 'x' });

const SELECTIONS: Readonly<Record<string, NamedTarget | undefined>> = {
  'nothing selected': undefined,
  'three selected': { ids: ['S1', 'S2', 'S3'] },
  'all that match selected': { query: '*' },
};

const listedEntities = registry.entities.filter(({ screen }) => screen !== undefined);

/** Returns every combination of a table, its selection, its active row, and the panel. */
function situationsOf(table: AnyEntity): readonly Situation[] {
  const otherEntity = listedEntities[(listedEntities.indexOf(table) + 1) % listedEntities.length]!;
  const panels = { 'no panel': undefined, 'its own panel': table, 'a panel for another entity': otherEntity };
  return Object.entries(SELECTIONS).flatMap(([selectionName, target]) =>
    Object.entries(panels).flatMap(([panel, panelEntity]) =>
      [true, false].map((hasRow): Situation => {
        const row = hasRow ? { row: { id: 'ROW', name } } : {};
        const selection = target ? { selection: { target, count: 3, name } } : {};
        return {
          name: `${selectionName}, ${panel}, ${hasRow ? 'a row' : 'no row'}`,
          shown: {
            table: { entity: table.name, ...row, ...selection },
            ...(panelEntity ? { panel: { entity: panelEntity.name, id: 'SHOWN' } } : {}),
          },
          entity: target ? table.name : (panelEntity ?? table).name,
          target: target ?? (panelEntity ? { ids: ['SHOWN'] } : hasRow ? { ids: ['ROW'] } : undefined),
        };
      }),
    ),
  );
}

const doNothing = (): void => undefined;

/** Shows a situation on a host with every capability. The effects of the capabilities aren't checked here. */
function show({ shown }: Situation): void {
  store.set(visibleTargetsAtom, shown);
  const capabilityHost = new Proxy({}, { get: () => doNothing }) as never;
  const table = {
    entityName: () => shown.table?.entity ?? '',
    activeRowId: () => shown.table?.row?.id,
    columns: (): readonly string[] => [],
    filterText: () => '',
  };
  provide({
    ...Object.fromEntries(CAPABILITIES.map((capability) => [capability, capabilityHost])),
    table: table as HostCapabilities['table'],
  });
  currentBindings = bindingsFor(registry, contextNow());
}

const CAPABILITIES = [...new Set(registry.commands.flatMap(({ needs }) => needs ?? []))];

interface KeyResult extends Intent {
  readonly command: Command;
}

let keyResults: KeyResult[] = [];
let currentBindings: readonly Binding[] = [];
let stop: () => void;

beforeEach(() => {
  store.set(userSessionAtom, testSession());
  keyResults = [];
  stop = listenForKeys({
    bindings: () => currentBindings,
    singleKeys: () => true,
    run: (bindings) => {
      const commands = bindings.flatMap(({ command: { id } }) => registry.command(id) ?? []);
      const command = pickCommand(commands, contextNow());
      if (command) keyResults.push({ command, ...createIntent(command, {}, contextNow()) });
    },
  });
});

afterEach(() => {
  stop();
  store.set(visibleTargetsAtom, {});
});

const MODIFIERS: Readonly<Record<string, KeyboardEventInit>> = {
  Shift: { shiftKey: true },
  $mod: { ctrlKey: true },
};

function press(keys: string): KeyResult | undefined {
  keyResults = [];
  for (const value of keys.split(' ')) {
    const parts = value === '+' ? ['+'] : value.split('+');
    const heldModifiers = Object.assign({}, ...parts.slice(0, -1).map((part) => MODIFIERS[part])) as KeyboardEventInit;
    const key = parts.at(-1)!;
    const capital = /^[A-Z]$/.test(key);
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', {
        key,
        bubbles: true,
        cancelable: true,
        ...heldModifiers,
        ...(capital ? { shiftKey: true } : {}),
      }),
    );
  }
  return keyResults.at(-1);
}

const withKeys = registry.commands.filter(({ keys }) => keys !== undefined);

/** True if a command's key may act on a target of this entity. */
const canActOn = ({ on, notOn }: Command, entity: string): boolean =>
  on ? on().name === entity : !(notOn?.includes(entity) ?? false);

/** Describes what a command's key does wrong in this situation. Undefined if it does nothing wrong. */
function problemOf(command: Command, keys: string, { entity, target }: Situation): string | undefined {
  const result = press(keys);
  if (result && !canActOn(result.command, entity))
    return `runs ${result.command.id}, which does not belong to the target`;
  if (!canActOn(command, entity))
    return result?.command === command ? 'acts on something other than the target' : undefined;
  // A command for the target takes precedence over a command that works everywhere.
  if (command.on && result?.command !== command) return `runs ${result?.command.id ?? 'nothing'} instead`;
  const param = result && targetParam(result.command);
  if (!param) return undefined;
  const actualTarget = JSON.stringify(result.args[param.name]);
  const expectedTarget = JSON.stringify(param.entity.name === entity ? target : undefined);
  if (actualTarget !== expectedTarget)
    return `acts on ${actualTarget ?? 'nothing'} instead of ${expectedTarget ?? 'nothing'}`;
  return actualTarget === undefined && result.surface === 'none' ? 'runs without a target' : undefined;
}

describe('every key acts on the single target', () => {
  test.each(listedEntities.map((entity) => [entity.name, entity] as const))('for the %s table', (_name, entity) => {
    const failures: string[] = [];
    for (const situation of situationsOf(entity)) {
      show(situation);
      for (const command of withKeys) {
        for (const keys of command.keys ?? []) {
          const problem = problemOf(command, keys, situation);
          if (problem !== undefined) failures.push(`${situation.name}: ${keys} (${command.id}) ${problem}`);
        }
      }
    }
    expect(failures).toEqual([]);
  });
});

test("the matrix covers every entity's keys that act on a target", () => {
  const targets = new Set(withKeys.flatMap((command) => targetParam(command)?.entity.name ?? []));
  expect([...targets].sort()).toEqual(
    [...new Set(withKeys.flatMap((command) => (targetParam(command) ? (command.on?.().name ?? []) : [])))].sort(),
  );
  expect(targets.size).toBeGreaterThan(6);
});

test('a page without a table acts on its subject', () => {
  const subject = { entity: 'organization', id: 'northwind', name };
  show({ name: '', shown: { subject }, entity: 'organization', target: undefined });
  expect(press('e')).toMatchObject({
    command: { id: 'organization.edit' },
    args: { organizations: { ids: ['northwind'] } },
  });
});

test('a chart takes the keys that it shares with the timeline below it', () => {
  const commands = ['timeline.next-bar', 'chart.next-value'].map((id) => registry.command(id)!);
  const host = { chart: {}, timeline: {} } as unknown as HostCapabilities;
  expect(pickCommand(commands, testContext({ host }))?.id).toBe('chart.next-value');
});
