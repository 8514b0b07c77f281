import { describe, expect, test } from 'vitest';

import * as resources from '#commands/cli/strings.ts';
import { createTranslator, translateWith } from '#commands/locales/i18n.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { registry } from '#commands/nouns/all.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { findView } from '#commands/query/views.ts';
import { message } from '#commands/text/message.ts';

import { resolveFocus, itemName, matchingName, selectedName, type VisibleTargets } from './focus.ts';

const name = (text: string) => message('core:target.item', { name: text });
const row = { id: 'ROW', name: name('row') };
const selection = { target: { ids: ['A', 'B'] }, count: 2, name: name('two') };
const panel = { entity: 'tag', id: '7', name: name('North field') };
const subject = { entity: 'organization', id: 'northwind', name: name('Northwind') };

describe('the target', () => {
  test.each<[string, VisibleTargets, unknown]>([
    [
      'is the selection, ahead of everything else',
      { table: { entity: 'device', row, selection }, panel, subject },
      { entity: 'device', ...selection },
    ],
    [
      'is the item in the panel, ahead of the row',
      { table: { entity: 'device', row }, panel, subject },
      { entity: 'tag', active: '7', name: panel.name },
    ],
    ['is the active row', { table: { entity: 'device', row } }, { entity: 'device', active: 'ROW', name: row.name }],
    ['is the subject of a page', { subject }, { entity: 'organization', active: 'northwind', name: subject.name }],
    [
      'has only its entity in an empty list, so its keys still work',
      { table: { entity: 'device' } },
      { entity: 'device' },
    ],
    ['has no name while its item loads', { panel: { entity: 'tag', id: '7' } }, { entity: 'tag', active: '7' }],
    ['is undefined if nothing is visible', {}, undefined],
  ])('%s', (_, targets, focus) => {
    expect(resolveFocus(targets)).toStrictEqual(focus);
  });
});

describe('the name of a target', async () => {
  const translate = translateWith(await createTranslator('en', resources));
  const device = registry.entity('device')!;
  const tag = registry.entity('tag')!;
  const nameOf = (text: string, entity: AnyEntity, count: number): string => {
    const filter = parseFilter(text, entity);
    return translate(matchingName(filter, findView(filter), count));
  };

  test('is the number of a device and the name of a tag', () => {
    expect(translate(itemName(device, { modem: { number: 'CFC3 C7B6', name: 'Pump' } }))).toBe('CFC3 C7B6');
    expect(translate(itemName(tag, { tag: { id: 7n, label: { name: 'North field' } } }))).toBe('North field');
    expect(translate(itemName(tag, { tag: { id: 7n, label: { name: '' } } }))).toBe('7');
  });

  test.each([
    ['health:ERROR', 214, '214 in error'],
    ['sort:name health:ERROR', 1214, '1,214 in error'],
    ['lifecycle:PAUSED', 3, '3 matching lifecycle:PAUSED'],
    ['', 2000, 'all 2,000 devices'],
    ['sort:-inactivity', 2000, 'all 2,000 devices'],
  ])('describes all items matching %j', (filter, count, expected) => {
    expect(nameOf(filter, device, count)).toBe(expected);
  });

  test('describes matching items in a list without views', () => {
    const signIn = registry.entity('sign-in')!;
    expect(signIn.views).toBeUndefined();
    expect(nameOf('firefox', signIn, 2)).toBe('2 matching firefox');
  });

  test('counts selected items', () => {
    expect(translate(selectedName(3))).toBe('3 selected');
  });
});
