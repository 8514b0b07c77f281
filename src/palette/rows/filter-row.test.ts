import { describe, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';

import { filterRow } from './filter-row.ts';
import { context, createListing, createTools, tool } from './testkit/listing.ts';

const withoutAbility = (ability: string): Context => ({
  ...context,
  actor: { ...context.actor, abilities: new Set([...context.actor.abilities].filter((name) => name !== ability)) },
});
const crewContext: Context = { ...context, focus: { entity: 'crew', active: '12' } };

describe('the filter row', () => {
  const row = (query: string, searchContext = context) =>
    filterRow(query, createListing({ context: searchContext }))[0]?.row;

  test('filters the current list, or else the first list that can be searched', () => {
    const expected = {
      label: 'palette.filter screen:gadget.title pump 7',
      invocation: { id: 'gadget.list', args: { filter: 'pump 7' } },
    };
    expect(row('pump 7')).toMatchObject(expected);
    expect(row('pump 7', crewContext)).toMatchObject(expected);
    expect(row('pump 7', { ...context, focus: undefined })).toMatchObject(expected);
  });

  test("is absent if the user can't open the list or the filter isn't valid", () => {
    expect(row('pump', withoutAbility('VIEW_DEVICES'))).toBeUndefined();
    expect(row('state:')).toBeUndefined();
  });

  test('prefers the current list to an earlier one', () => {
    const registry = createTools();
    const widget = { ...tool, name: 'widget', plural: 'widgets' } as typeof tool;
    const list = registry.command('gadget.list')!;
    const registryWithBoth = {
      ...registry,
      entities: [...registry.entities, widget],
      entity: (name: string) => (name === 'widget' ? widget : registry.entity(name)),
      command: (id: string) => (id === 'widget.list' ? { ...list, id } : registry.command(id)),
    } as typeof registry;
    const rowIn = (entity: string) =>
      filterRow(
        'pump',
        createListing({ registry: registryWithBoth, context: { ...context, focus: { entity, active: '1' } } }),
      )[0]?.row.invocation?.id;
    expect([rowIn('widget'), rowIn('crew')]).toEqual(['widget.list', 'gadget.list']);
  });

  test("skips a list that can't be searched, has no screen, or takes no filter", () => {
    const registry = createTools();
    const list = registry.command('gadget.list')!;
    const rowWith = (parts: object, listParts: object | undefined) => {
      const widget = { ...tool, name: 'widget', ...parts };
      const commands = new Map([['widget.list', listParts && { ...list, id: 'widget.list', ...listParts }]]);
      const changedRegistry = {
        ...registry,
        entity: () => widget,
        command: (id: string) => (commands.has(id) ? commands.get(id) : registry.command(id)),
      } as unknown as typeof registry;
      return filterRow('pump', createListing({ registry: changedRegistry }))[0]?.row.invocation?.id;
    };
    expect(rowWith({}, {})).toBe('widget.list');
    expect(rowWith({ features: ['gold'] }, {})).toBe('gadget.list');
    expect(rowWith({ applySearch: undefined }, {})).toBe('gadget.list');
    expect(rowWith({ screen: undefined }, {})).toBe('gadget.list');
    expect(rowWith({}, undefined)).toBe('gadget.list');
    expect(rowWith({}, { params: {} })).toBe('gadget.list');
    expect(rowWith({}, { params: { filter: registry.command('gadget.sound')!.params['tone'] } })).toBe('gadget.list');
  });
});
