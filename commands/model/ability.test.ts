import { expect, test } from 'vitest';

import { abilities, toAbilities, type Ability, type PermissionSet } from './ability.ts';

const none: PermissionSet = { all: false, names: new Set() };
const everyPermission: PermissionSet = { all: true, names: new Set() };
const permissionSet = (...names: string[]): PermissionSet => ({ all: false, names: new Set(names) });
const abilityNames = (grants: Partial<Parameters<typeof toAbilities>[0]>) =>
  [...toAbilities({ organization: none, user: none, support: none, ...grants })].toSorted();

const names = Object.keys(abilities) as Ability[];
const abilitiesFrom = (source: string) => names.filter((ability) => source in abilities[ability]).toSorted();

test("requires an ability's permission from the source that grants it", () => {
  expect(abilityNames({})).toEqual([]);
  expect(abilityNames({ organization: permissionSet('MODEMS', 'UPDATE', 'MANAGE_DEVICE_SLA') })).toEqual([
    'VIEW_DEVICES',
  ]);
  expect(abilityNames({ user: permissionSet('UPDATE', 'MODEMS', 'CUSTOM_TAGS') })).toEqual(['UPDATE_SELF']);
  expect(abilityNames({ support: permissionSet('CUSTOM_TAGS', 'MODEMS', 'UPDATE') })).toEqual(['CUSTOM_TAGS']);
  expect(abilityNames({ organization: permissionSet('TAGS_MANAGE') })).toEqual(['ASSIGN_TAGS', 'MANAGE_TAGS']);
});

test('grants only the abilities of its source, and never support abilities', () => {
  expect(abilityNames({ organization: everyPermission })).toEqual(abilitiesFrom('organization'));
  expect(abilityNames({ user: everyPermission })).toEqual(abilitiesFrom('user'));
  expect(abilityNames({ support: everyPermission })).toEqual([]);
});
