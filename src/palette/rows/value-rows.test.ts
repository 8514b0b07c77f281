import { describe, expect, test } from 'vitest';

import { command, type Command } from '#commands/model/command.ts';
import { p } from '#commands/model/params.ts';
import { simplePlan } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import { context, createListing, createTools, translate } from './testkit/listing.ts';
import { searchValues } from './value-rows.ts';

const labels = (rows: readonly { readonly label: string }[]) => rows.map(({ label }) => label);

describe('values', () => {
  const foundLabels = (query: string, searchContext = context) =>
    searchValues(query, createListing({ context: searchContext })).map(({ row }) => row.label);

  test('match by name, optionally with words from their command', () => {
    expect(foundLabels('in error')).toEqual(['Mark one: IN_ERROR']);
    expect(foundLabels('mark error')).toEqual(['Mark one: IN_ERROR']);
    expect(foundLabels('error mark')).toEqual(['Mark one: IN_ERROR']);
    expect([foundLabels('mark'), foundLabels('xyz'), foundLabels('scrap error')]).toEqual([[], [], []]);
    expect(foundLabels(' mark  error ')).toEqual(['Mark one: IN_ERROR']);
    expect([foundLabels('ark error'), foundLabels('mark rror'), foundLabels('erro')]).toEqual([
      [],
      [],
      ['Mark one: IN_ERROR'],
    ]);
    expect([foundLabels('mark eror'), foundLabels('eror')]).toEqual([['Mark one: IN_ERROR'], ['Mark one: IN_ERROR']]);
    const [withoutCommand, withCommand] = ['error', 'mark error'].map(
      (query) => searchValues(query, createListing())[0],
    );
    expect(withCommand?.score).toBeLessThan(withoutCommand?.score ?? NaN);
  });

  test("set their command's value for the selection", () => {
    const [result] = searchValues('error', createListing());
    expect(result?.row).toEqual({
      id: 'value gadget.mark state IN_ERROR',
      label: 'Mark one: IN_ERROR',
      ranges: [[13, 18]],
      invocation: { id: 'gadget.mark', args: { state: 'IN_ERROR' } },
    });
    expect(result?.kind).toBe('value');
  });

  test('show their labels, and the reason if they are not allowed', () => {
    expect(searchValues('red', createListing()).map(({ row }) => row)).toMatchObject([
      { label: 'Tint one: Crimson', detail: 'gadget:commands.tint.params.near', ranges: [] },
      { label: 'Tint one: RED', detail: 'gadget:commands.tint.params.far', reason: 'gadget:noRed', ranges: [[10, 13]] },
    ]);
    const [navy] = searchValues('navy', createListing());
    expect(navy?.row.label).toBe('Tint one: Navy');
    expect(navy?.row).not.toHaveProperty('reason');
    const [red] = searchValues('near red', createListing());
    expect(red?.row.label).toBe('Tint one: Crimson');
  });

  test('that name other things need a word of their command', () => {
    const screen = p.choice(['HARBOR', 'DOCK'], {
      namesOtherThings: true,
      check: (value) => (value === 'DOCK' ? message('gadget:closed') : undefined),
    });
    const open = command({
      id: 'gadget.mark',
      effect: 'write',
      plan: simplePlan,
      params: { screen: { ...screen, required: true } as never },
      run: async () => ({}),
    });
    const registry = { ...createTools(), commands: [open] } as ReturnType<typeof createTools>;
    const found = (query: string) => labels(searchValues(query, createListing({ registry })).map(({ row }) => row));
    expect([found('harbor'), found('mark harbor')]).toEqual([[], ['Mark one: HARBOR']]);
    // Those that the user can't use, such as a screen without the permission, are absent.
    expect(found('mark dock')).toEqual([]);
  });

  test('are offered only if they complete a command and change something', () => {
    expect([foundLabels('north'), foundLabels('shrill')]).toEqual([[], []]);
  });

  test('are not offered for an individual field of an editor', () => {
    const registry = createTools();
    const hue = p.choice(['TEAL']);
    const gadgetsParam = registry.command('gadget.mark')!.params['gadgets']!;
    const offeredLabels = (params: Command['params']) => {
      const edit = command({ id: 'gadget.edit', effect: 'write', plan: simplePlan, params, run: async () => ({}) });
      const changedRegistry = { ...registry, commands: [edit] } as typeof registry;
      return labels(searchValues('teal', createListing({ registry: changedRegistry })).map(({ row }) => row));
    };
    expect([offeredLabels({ hue }), offeredLabels({ gadgets: gadgetsParam, hue })]).toEqual([['Edit one: TEAL'], []]);
  });

  test("are not offered for a command that this console can't run", () => {
    const registry = createTools();
    const hide = (id: string, parts: object) => ({
      ...registry,
      commands: registry.commands.map((command) => (command.id === id ? { ...command, ...parts } : command)),
    });
    const hiddenListing = createListing({ registry: hide('gadget.mark', { needs: ['line'] }) });
    expect(searchValues('error', hiddenListing)).toEqual([]);
    const blockedListing = createListing({
      registry: hide('gadget.mark', { blockedReason: () => message('gadget:noInk') }),
    });
    expect(searchValues('error', blockedListing)[0]?.row.reason).toBe('gadget:noInk');
  });

  test("are in the user's language", () => {
    const registry = createTools();
    const label = (language: string, prefix: string) =>
      searchValues(
        'crimson',
        createListing({ registry, language, translate: (message) => `${prefix} ${translate(message)}` }),
      )[0]?.row.label;
    expect([label('en', 'en'), label('nl', 'nl'), label('en', 'other')]).toEqual([
      'en Tint one: en Crimson',
      'nl Tint one: nl Crimson',
      'en Tint one: en Crimson',
    ]);
  });
});
