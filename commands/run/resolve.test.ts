import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';

import { ASK } from '#commands/model/arg-value.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Entity } from '#commands/model/entity.ts';
import { fileValue } from '#commands/model/files.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p, required, requiredUnless } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, gadgets, simplePlan, type Gadget } from '#commands/testkit/gadget.ts';
import { message, type Message } from '#commands/text/message.ts';

import { missingParams, resolveArgs, resolvePartial } from './resolve.ts';

const withParams = (params: Params, problems?: Command['problems']): Command => {
  const builtCommand = command({
    id: 'gadget.change',
    effect: 'write',
    params,
    plan: simplePlan,
    run: async () => ({}),
  });
  return problems ? { ...builtCommand, problems } : builtCommand;
};
const resolve = (params: Params, args: Args) => resolveArgs(withParams(params), args, testContext());

/** Returns the message of a rejection and the param it names. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'accepted',
    (error: { userMessage?: Message; param?: string }) =>
      error.userMessage ? [error.userMessage.key, error.param] : error,
  );

const [northPump] = gadgets;
/** An entity whose lookups fail with the given error. */
const failingEntity = (error: Error): Entity<Gadget> => ({
  ...(gadget as Entity<Gadget>),
  find: async () => {
    throw error;
  },
});

describe('an argument', () => {
  test('falls back to the default of its param', async () => {
    const params = { mode: required(p.choice(['ON', 'OFF'], { fallback: 'OFF' })), loud: p.flag(), name: p.text() };
    expect(await resolve(params, {})).toEqual({ mode: 'OFF', loud: false, name: undefined });
    expect(await resolve(params, { mode: 'ON', loud: true, name: 'Pump' })).toEqual({
      mode: 'ON',
      loud: true,
      name: 'Pump',
    });
  });

  test.each<[string, Params[string], Args[string], unknown]>([
    ['no value', p.text(), undefined, ['core:validation.required', 'value']],
    ['an empty string', p.text(), '', ['core:validation.required', 'value']],
    ['a blank text', p.text(), ' ', ['core:validation.required', 'value']],
    ['a secret of spaces', p.secret(), '  ', 'accepted'],
    ['an empty secret', p.secret(), '', ['core:validation.required', 'value']],
    ['text that is still to be prompted for', p.text(), ASK, ['core:validation.required', 'value']],
    ['an empty string that clears the value', p.text({ clears: true }), '', 'accepted'],
    ['zero', p.number(), 0, 'accepted'],
  ])('checks a required argument: %s', async (_case, param, value, expected) => {
    expect(await rejection(resolve({ value: required(param) }, value === undefined ? {} : { value }))).toEqual(
      expected,
    );
  });

  test('accepts an empty optional argument', async () => {
    expect(await resolve({ value: p.text() }, { value: '' })).toEqual({ value: '' });
  });

  test('is optional if the flag that replaces it is set', async () => {
    const missingMessage = message('gadget:name.missing');
    const params = { noName: p.flag(), name: requiredUnless('noName', missingMessage, p.text()) };
    expect(await rejection(resolve(params, {}))).toEqual(['gadget:name.missing', 'name']);
    expect(await rejection(resolve(params, { noName: false }))).toEqual(['gadget:name.missing', 'name']);
    expect(await resolve(params, { noName: true })).toEqual({ noName: true, name: undefined });
  });

  test('rejects a secret that was never entered', async () => {
    const unasked = ['running:line.unasked', 'value'];
    expect(await rejection(resolve({ value: p.secret() }, { value: ASK }))).toEqual(unasked);
    expect(await rejection(resolve({ value: p.pairs({ hidden: true }) }, { value: { key: ASK } }))).toEqual(unasked);
    expect(await rejection(resolve({ value: p.pairs({ hidden: true }) }, { value: { key: 'x' } }))).toBe('accepted');
    expect(await resolve({ value: p.text() }, { value: ASK })).toEqual({ value: ASK });
  });

  test("is checked by the command's own rules, even without a target", async () => {
    const tooLong = withParams({ name: p.text(), note: p.text() }, () => ({ note: message('gadget:long') }));
    expect(await rejection(resolveArgs(tooLong, {}, testContext()))).toEqual(['gadget:long', 'note']);
    const valid = withParams({ name: p.text() }, () => ({}));
    expect(await rejection(resolveArgs(valid, {}, testContext()))).toBe('accepted');
  });
});

describe('a file', () => {
  const params = { picture: p.file({ accept: ['image/png'], maxBytes: 1024, clears: true }) };

  test('resolves to its content, or to an empty value that removes the current file', async () => {
    const content = { name: 'logo.png', mediaType: 'image/png', bytes: new Uint8Array([1, 2]) };
    expect(await resolve(params, { picture: fileValue(content) })).toEqual({ picture: content });
    expect(await resolve(params, { picture: '' })).toEqual({ picture: '' });
  });

  test('must be chosen again if only its name is known, as in history', async () => {
    expect(await rejection(resolve(params, { picture: '@logo.png' }))).toEqual([
      'core:validation.fileUnread',
      'picture',
    ]);
  });
});

describe('a reference', () => {
  test('resolves to the item with the given name', async () => {
    expect(await resolve({ parent: p.ref(() => gadget) }, { parent: 'North pump' })).toEqual({ parent: northPump });
    expect(await resolve({ parents: p.refs(() => gadget) }, { parents: ['North pump', 'Well 7'] })).toEqual({
      parents: [northPump, gadgets[2]],
    });
  });

  test('resolves to the one item whose name contains the commas of a list', async () => {
    const well = { id: '1111 2222', name: 'Well 7, annulus A', state: 'OK' } as Gadget;
    const entity = {
      ...(gadget as Entity<Gadget>),
      find: async (_context: unknown, text: string) => [...gadgets, well].filter(({ name }) => name === text),
    };
    const params = { parents: p.refs(() => entity) };
    expect(await resolve(params, { parents: ['Well 7', 'annulus A'] })).toEqual({ parents: [well] });
    expect(await resolve(params, { parents: ['North pump', 'Well 7'] })).toEqual({ parents: [northPump, gadgets[2]] });
    expect(await rejection(resolve(params, { parents: ['Well 7', 'annulus B'] }))).toEqual([
      'running:lookup.none',
      'parents',
    ]);
  });

  test('rejects an unknown item, however it is written', async () => {
    for (const parent of ['Nessie', 'x\ny', 'x'.repeat(2000)]) {
      const unknown = await rejection(resolve({ parent: p.ref(() => gadget) }, { parent }));
      expect(unknown).toEqual(['running:lookup.none', 'parent']);
    }
  });

  test('resolves to an existing item or, if allowed, to the name of a new one', async () => {
    const params = { parent: p.refOrNew(() => gadget, { maxLength: 5 }) };
    expect(await resolve(params, { parent: 'North pump' })).toEqual({ parent: { item: northPump } });
    expect(await resolve(params, { parent: ' Pump ' })).toEqual({ parent: { create: 'Pump' } });
    expect(await rejection(resolve(params, { parent: 'South' }))).toBe('accepted');
    expect(await rejection(resolve(params, { parent: 'Nessie' }))).toEqual(['core:validation.maxLength', 'parent']);
    expect(await rejection(resolve(params, { parent: 'a\nb' }))).toEqual(['core:validation.oneLine', 'parent']);
  });

  test("blames its param if the server doesn't find the item, but not for any other failure", async () => {
    const answer = (error: Error) =>
      rejection(resolve({ parent: p.ref(() => failingEntity(error)) }, { parent: 'Well 7' }));
    const notFound = new ConnectError('There is no such gadget.', Code.NotFound, { 'content-type': 'text' });
    expect(await answer(notFound)).toEqual(['core:error.server', 'parent']);
    const unavailable = new ConnectError('down', Code.Unavailable);
    expect(await answer(unavailable)).toBe(unavailable);
    const defect = new TypeError('x is not a function');
    expect(await answer(defect)).toBe(defect);
  });
});

describe('incomplete arguments', () => {
  const params = {
    gadgets: p.many(() => gadget),
    parent: required(p.ref(() => gadget)),
    name: required(p.text()),
    note: p.text(),
    loud: p.flag(),
  };

  test('are looked up as far as they are given', async () => {
    expect(await resolvePartial(withParams(params), { parent: 'North pump' }, testContext())).toEqual({
      parent: northPump,
    });
    expect(await rejection(resolvePartial(withParams(params), { parent: 'Nessie' }, testContext()))).toEqual([
      'running:lookup.none',
      'parent',
    ]);
    expect(await rejection(resolvePartial(withParams(params), { name: 'a\nb' }, testContext()))).toEqual([
      'core:validation.oneLine',
      'name',
    ]);
  });

  test('leave the missing required params to prompt for, in order', () => {
    const missingNames = (args: Args) => missingParams(withParams(params), args);
    expect(missingNames({})).toEqual(['gadgets', 'parent', 'name']);
    expect(missingNames({ name: 'Pump', gadgets: { query: '' } })).toEqual(['parent']);
    expect(missingNames({ name: ' ', parent: ASK, gadgets: { query: '' } })).toEqual(['parent', 'name']);
  });
});
