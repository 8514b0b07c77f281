import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { registry } from '#commands/nouns/all.ts';
import { targetParam, type Command } from '#commands/model/command.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import type { Shown } from '#commands/run/focus.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';
import type { NamedTarget } from '#commands/model/target.ts';
import { testContext } from '#commands/testkit/context.ts';

import { contextNow, provide } from '#src/run/context.ts';
import { intentOf, type Intent } from '#src/run/draft.ts';
import { actingAtom } from '#src/state/acting.ts';
import { shownAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { bindingsFor } from '#src/keymap/bindings.ts';
import { listenForKeys } from './listen.ts';
import type { Binding } from '#src/keymap/resolver.ts';
import { chosen } from './start.ts';

/** What stands on the screen, and the target that has to follow from it: written out here, not asked of the code. */
interface Stand {
  readonly name: string;
  readonly shown: Shown;
  readonly entity: string;
  readonly target: NamedTarget | undefined;
}

const name = message('core:target.item', { name: 'x' });

const SELECTIONS: Readonly<Record<string, NamedTarget | undefined>> = {
  'nothing selected': undefined,
  'three selected': { ids: ['S1', 'S2', 'S3'] },
  'all that match selected': { query: '*' },
};

const listed = registry.entities.filter(({ screen }) => screen !== undefined);

/** Every combination of a table, its selection, its cursor and the panel. */
function standsAt(table: AnyEntity): readonly Stand[] {
  const other = listed[(listed.indexOf(table) + 1) % listed.length]!;
  const panels = { 'no panel': undefined, 'its own panel': table, 'a panel of another kind': other };
  return Object.entries(SELECTIONS).flatMap(([selected, target]) =>
    Object.entries(panels).flatMap(([panel, of]) =>
      [true, false].map((hasRow): Stand => {
        const row = hasRow ? { row: { id: 'ROW', name } } : {};
        const selection = target ? { selection: { target, count: 3, name } } : {};
        return {
          name: `${selected}, ${panel}, ${hasRow ? 'a row' : 'no row'}`,
          shown: {
            table: { entity: table.name, ...row, ...selection },
            ...(of ? { panel: { entity: of.name, id: 'SHOWN' } } : {}),
          },
          entity: target ? table.name : (of ?? table).name,
          target: target ?? (of ? { ids: ['SHOWN'] } : hasRow ? { ids: ['ROW'] } : undefined),
        };
      }),
    ),
  );
}

const nothing = (): void => undefined;

/** A host that can do everything; what it does is not looked at here. */
function standAt({ shown }: Stand): void {
  store.set(shownAtom, shown);
  const hosts = new Proxy({}, { get: () => nothing }) as never;
  const table = { entity: () => shown.table?.entity ?? '', row: () => shown.table?.row?.id, filter: () => '' };
  provide({
    ...Object.fromEntries(CAPABILITIES.map((capability) => [capability, hosts])),
    table: table as HostCapabilities['table'],
  });
  live = bindingsFor(registry, contextNow());
}

const CAPABILITIES = [...new Set(registry.commands.flatMap(({ needs }) => needs ?? []))];

interface Pressed extends Intent {
  readonly command: Command;
}

let pressed: Pressed[] = [];
/** What keys do where one stands. */
let live: readonly Binding[] = [];
let stop: () => void;

beforeEach(() => {
  const { actor, organization } = testContext();
  store.set(actingAtom, { actor, organization, preferences: {}, acceptedTac: true, passwordResetRecommended: false });
  pressed = [];
  stop = listenForKeys({
    bindings: () => live,
    singleKeys: () => true,
    run: (bindings) => {
      const command = chosen(bindings, contextNow());
      if (command) pressed.push({ command, ...intentOf(command, {}, contextNow()) });
    },
  });
});

afterEach(() => {
  stop();
  store.set(shownAtom, {});
});

const MODIFIERS: Readonly<Record<string, KeyboardEventInit>> = {
  Shift: { shiftKey: true },
  $mod: { ctrlKey: true },
};

function press(keys: string): Pressed | undefined {
  pressed = [];
  for (const value of keys.split(' ')) {
    const parts = value === '+' ? ['+'] : value.split('+');
    const held = Object.assign({}, ...parts.slice(0, -1).map((part) => MODIFIERS[part])) as KeyboardEventInit;
    const key = parts.at(-1)!;
    const capital = /^[A-Z]$/.test(key);
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', {
        key,
        bubbles: true,
        cancelable: true,
        ...held,
        ...(capital ? { shiftKey: true } : {}),
      }),
    );
  }
  return pressed.at(-1);
}

const withKeys = registry.commands.filter(({ keys }) => keys !== undefined);

/** Whether a command's key may do anything on a target of this entity. */
const isOf = ({ on, notOn }: Command, entity: string): boolean =>
  on ? on().name === entity : !(notOn?.includes(entity) ?? false);

/** What a key of a command does wrong where one stands; undefined when it does what it should. */
function problemOf(command: Command, keys: string, { entity, target }: Stand): string | undefined {
  const found = press(keys);
  if (found && !isOf(found.command, entity)) return `runs ${found.command.id}, which is not of the target`;
  if (!isOf(command, entity)) return found?.command === command ? 'reaches what is not the target' : undefined;
  // A command of the target goes before one that works everywhere.
  if (command.on && found?.command !== command) return `runs ${found?.command.id ?? 'nothing'} instead`;
  const param = found && targetParam(found.command);
  if (!param) return undefined;
  const given = JSON.stringify(found.args[param.name]);
  const wanted = JSON.stringify(param.entity.name === entity ? target : undefined);
  if (given !== wanted) return `acts on ${given ?? 'nothing'} instead of ${wanted ?? 'nothing'}`;
  return given === undefined && found.surface === 'none' ? 'runs without a target' : undefined;
}

describe('every key acts on the one target', () => {
  test.each(listed.map((entity) => [entity.name, entity] as const))('beside the table of %s', (_name, entity) => {
    const wrong: string[] = [];
    for (const stand of standsAt(entity)) {
      standAt(stand);
      for (const command of withKeys) {
        for (const keys of command.keys ?? []) {
          const problem = problemOf(command, keys, stand);
          if (problem !== undefined) wrong.push(`${stand.name}: ${keys} of ${command.id} ${problem}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

test('the matrix presses the keys of every noun that acts on a target', () => {
  const targets = new Set(withKeys.flatMap((command) => targetParam(command)?.entity.name ?? []));
  expect([...targets].sort()).toEqual(
    [...new Set(withKeys.flatMap((command) => (targetParam(command) ? command.on!().name : [])))].sort(),
  );
  expect(targets.size).toBeGreaterThan(6);
});

test('a page without a table acts on what it is about', () => {
  const subject = { entity: 'organization', id: 'northwind', name };
  standAt({ name: '', shown: { subject }, entity: 'organization', target: undefined });
  expect(press('e')).toMatchObject({
    command: { id: 'organization.edit' },
    args: { organizations: { ids: ['northwind'] } },
  });
});
