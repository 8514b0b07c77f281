import { describe, expect, test } from 'vitest';

import { abilities, type Ability } from '#commands/model/ability.ts';
import { command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { p } from '#commands/model/params.ts';
import { createRegistry } from '#commands/registry/registry.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, simplePlan, tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';

import {
  availability,
  canTargetSelection,
  isHidden,
  isInScope,
  fieldPermissionMessage,
  targetCommands,
} from './availability.ts';

const makeCommand = (spec: object) =>
  command({ id: 'gadget.try', effect: 'write', plan: simplePlan, run: async () => ({}), ...spec });
const reasonOf = (spec: Parameters<typeof makeCommand>[0], context: Context) => {
  const result = availability(makeCommand(spec), context);
  return result.ok ? undefined : [result.reason.code, result.reason.missing];
};
const context = testContext();
const contextWithout = (...missing: readonly Ability[]): Context => {
  const remaining = (Object.keys(abilities) as Ability[]).filter((ability) => !missing.includes(ability));
  return testContext({ actor: { ...context.actor, abilities: new Set(remaining) } });
};
const inSupportSession = (changesAllowed: boolean): Context =>
  testContext({
    organization: { ...context.organization, supportSession: { id: '1', reason: '', endsAt: 0, changesAllowed } },
  });

describe('a read-only support session', () => {
  test.each(['write', 'destructive'] as const)('blocks a %s command until changes are allowed', (effect) => {
    expect(reasonOf({ effect }, inSupportSession(false))?.[0]).toBe('readOnly');
    expect(reasonOf({ effect }, inSupportSession(true))).toBeUndefined();
    expect(reasonOf({ effect }, context)).toBeUndefined();
  });

  test.each(['read', 'navigate'] as const)('allows a %s command', (effect) => {
    expect(reasonOf({ effect }, inSupportSession(false))).toBeUndefined();
  });

  test('blocks a command that prepares a change', () => {
    expect(reasonOf({ effect: 'read', preparesChange: true }, inSupportSession(false))?.[0]).toBe('readOnly');
    expect(reasonOf({ effect: 'read', preparesChange: true }, inSupportSession(true))).toBeUndefined();
  });

  test('allows commands that affect only the caller', () => {
    expect(reasonOf({ affectsOnlyCaller: true }, inSupportSession(false))).toBeUndefined();
    expect(reasonOf({ requires: 'UPDATE_SELF' }, inSupportSession(false))).toBeUndefined();
    expect(reasonOf({ requires: 'EDIT_DEVICE' }, inSupportSession(false))?.[0]).toBe('readOnly');
  });
});

test('requires every ability and names each missing permission', () => {
  const requires = ['ASSIGN_TAGS', 'EDIT_DEVICE'] as const;
  expect(reasonOf({ requires }, context)).toBeUndefined();
  expect(reasonOf({ requires }, contextWithout('EDIT_DEVICE'))).toEqual(['ability', 'MODEMS_UPDATE']);
  expect(reasonOf({ requires }, contextWithout(...requires))).toEqual(['ability', 'TAGS_MANAGE, MODEMS_UPDATE']);
  // Both abilities require the same permission.
  expect(reasonOf({ requires: ['ASSIGN_TAGS', 'MANAGE_TAGS'] }, contextWithout('ASSIGN_TAGS', 'MANAGE_TAGS'))).toEqual([
    'ability',
    'TAGS_MANAGE',
  ]);
  const contextWithoutOrganization = {
    ...contextWithout(...requires),
    organization: { ...context.organization, id: '' },
  };
  expect(reasonOf({ requires }, contextWithoutOrganization)?.[0]).toBe('organization');
});

test('reports whether an administrator can grant the permission', () => {
  const messageKey = (...requires: Ability[]) => {
    const result = availability(makeCommand({ requires }), contextWithout(...requires));
    return result.ok ? undefined : result.reason.message.key;
  };
  expect(messageKey('EDIT_DEVICE')).toBe('core:unavailable.ability');
  expect(messageKey('CUSTOMER_SUPPORT')).toBe('core:unavailable.support');
  expect(messageKey('EDIT_DEVICE', 'CUSTOMER_SUPPORT')).toBe('core:unavailable.support');
});

test('uses different names for organization permissions and user permissions', () => {
  const permissionMessage = (key: string) => message('core:unavailable.permission', { name: message(key) });
  const missingPermission = (ability: Ability) => {
    const result = availability(makeCommand({ requires: ability }), contextWithout(ability));
    return result.ok ? undefined : result.reason.message.values?.['permission'];
  };
  expect(missingPermission('EDIT_DEVICE')).toEqual(permissionMessage('role:permission.MODEMS_UPDATE'));
  expect(missingPermission('UPDATE_SELF')).toEqual(permissionMessage('token:userPermission.UPDATE'));
});

test('explains that only support can set a field, or which permission is missing', () => {
  expect(fieldPermissionMessage('TRANSMISSION_INTERVAL')).toEqual(message('core:unavailable.field'));
  expect(fieldPermissionMessage('EDIT_DEVICE')).toMatchObject({ key: 'core:unavailable.ability' });
});

test("requires access to a command's entity unless the command only navigates", () => {
  const on = () => gadget;
  expect(reasonOf({ on }, contextWithout('VIEW_DEVICES'))).toEqual(['ability', 'MODEMS']);
  expect(reasonOf({ on, effect: 'navigate' }, contextWithout('VIEW_DEVICES'))).toBeUndefined();
});

test('requires all features of the command and of its entity', () => {
  const features = ['MODEM_CREATION', 'EARLY_ACCESS'];
  const contextWithFeatures = (...names: string[]) =>
    testContext({ organization: { ...context.organization, features: new Set(names) } });
  expect(reasonOf({ features }, contextWithFeatures('MODEM_CREATION'))).toEqual(['feature', 'EARLY_ACCESS']);
  expect(reasonOf({ features }, contextWithFeatures(...features))).toBeUndefined();
  // The entity's features are required too, except to open its screen, which checks them itself.
  const on = () => ({ ...gadget, features: ['EARLY_ACCESS'] });
  expect(reasonOf({ on, features }, contextWithFeatures('MODEM_CREATION'))).toEqual(['feature', 'EARLY_ACCESS']);
  expect(reasonOf({ on }, contextWithFeatures())).toEqual(['feature', 'EARLY_ACCESS']);
  expect(reasonOf({ on }, contextWithFeatures('EARLY_ACCESS'))).toBeUndefined();
  expect(reasonOf({ on, effect: 'navigate' }, contextWithFeatures())).toBeUndefined();
});

test("hides a command that the host can't run, and gives the reason why a command is blocked", () => {
  const needs = ['navigate'] as const;
  expect(reasonOf({ needs }, context)).toEqual(['host', 'navigate']);
  expect(isHidden(makeCommand({ needs }), context)).toBe(true);
  const contextWithNavigate = testContext({ host: { navigate: () => undefined } });
  expect([reasonOf({ needs }, contextWithNavigate), isHidden(makeCommand({ needs }), contextWithNavigate)]).toEqual([
    undefined,
    false,
  ]);
  const twoNeeds = makeCommand({ needs: ['navigate', 'output'] });
  expect(isHidden(twoNeeds, contextWithNavigate)).toBe(true);
  expect(availability(twoNeeds, contextWithNavigate)).toMatchObject({ reason: { code: 'host', missing: 'output' } });
  expect(isHidden(makeCommand({}), context)).toBe(false);
  expect(reasonOf({ blockedReason: () => message('core:unavailable.signedOut') }, context)?.[0]).toBe('blocked');
  const blockedCommand = availability(
    makeCommand({ blockedReason: () => message('core:unavailable.signedOut') }),
    context,
  );
  expect(blockedCommand).toStrictEqual({
    ok: false,
    reason: { code: 'blocked', message: message('core:unavailable.signedOut') },
  });
});

test("checks a command's scope and selection against the focused entity", () => {
  expect([isInScope(tune, gadget), isInScope(tune, undefined), isInScope(makeCommand({}), undefined)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(isInScope(tune, { ...gadget, name: 'widget' })).toBe(false);
  const notOnWidgets = makeCommand({ notOn: ['widget'] });
  const scopes = (command: typeof tune) =>
    [gadget, { ...gadget, name: 'widget' }, undefined].map((on) => isInScope(command, on));
  expect([scopes(notOnWidgets), scopes(makeCommand({}))]).toEqual([
    [true, false, true],
    [true, true, true],
  ]);
  const canTarget = (focus: Context['focus']) => canTargetSelection(tune, testContext({ focus }));
  expect(canTarget({ entity: 'gadget', active: 'AAAA BBBB' })).toBe(true);
  expect(canTarget({ entity: 'gadget', target: { query: '' } })).toBe(true);
  expect(canTarget({ entity: 'gadget' })).toBe(false);
  expect(canTarget({ entity: 'widget', active: 'AAAA BBBB' })).toBe(false);
  expect(canTarget(undefined)).toBe(false);
  expect(canTargetSelection(makeCommand({}), testContext({ focus: { entity: 'gadget', active: 'AAAA BBBB' } }))).toBe(
    false,
  );
});

test("lists the entity's runnable commands with keys before commands for any target", () => {
  const widget = { ...gadget, name: 'widget', plural: 'widgets' };
  const [on, otherEntity] = [() => gadget, () => widget];
  const [keys, params] = [['x'], { gadgets: p.many(on) }];
  const needs = ['navigate'] as const;
  const commands = [
    makeCommand({ id: 'any.copy', keys, onTarget: true }),
    makeCommand({ id: 'any.print', keys, needs, onTarget: true }),
    makeCommand({ id: 'any.help', keys }),
    makeCommand({ id: 'gadget.paint', keys, on, params }),
    makeCommand({ id: 'gadget.ship', keys, needs, on, params }),
    makeCommand({ id: 'gadget.scrap', on, params }),
    makeCommand({ id: 'gadget.create', keys, on }),
    makeCommand({ id: 'gadget.fit', keys, on, params: { widgets: p.many(otherEntity) } }),
    makeCommand({ id: 'widget.fit', keys, on: otherEntity, params }),
    makeCommand({ id: 'any.pick', keys, params }),
  ];
  const offeredIds = (context: Context) =>
    targetCommands(createRegistry([{ commands }]), 'gadget', context).map(({ id }) => id);
  expect(offeredIds(context)).toEqual(['gadget.paint', 'any.copy']);
  const contextWithNavigate = testContext({ host: { navigate: () => undefined } });
  expect(offeredIds(contextWithNavigate)).toEqual(['gadget.paint', 'gadget.ship', 'any.copy', 'any.print']);
});
