import { describe, expect, test } from 'vitest';

import { ASK } from '#commands/model/arg-value.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Focus } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p, required } from '#commands/model/params.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget, simplePlan, tune } from '#commands/testkit/gadget.ts';

import {
  hasOptionalParams,
  createIntent,
  isPreviewed,
  offersOptionalParams,
  promptedParam,
  promptFor,
  setArg,
  startDraft,
  stepBack,
  withValue,
} from './draft.ts';

const write = (params: Params, parts: Partial<Command> = {}): Command => ({
  ...command({ id: 'gadget.change', effect: 'write', params, plan: simplePlan, run: async () => ({}) }),
  ...parts,
});
const many = p.many(() => gadget);
const focus = { entity: 'gadget', active: 'AAAA BBBB' } as const;
const target = { gadgets: { ids: ['AAAA BBBB'] } };
const draftOf = (args: Args, base: Command = tune, focus?: Focus) => startDraft(base, args, testContext({ focus }));

describe('a new draft', () => {
  test('takes its target only from a selection or active row of its own entity', () => {
    const argsFrom = (focus: Parameters<typeof testContext>[0]) => startDraft(tune, {}, testContext(focus)).args;
    expect(argsFrom({ focus: focus })).toEqual(target);
    expect(argsFrom({ focus: { entity: 'gadget', target: { query: '*' }, count: 3 } })).toEqual({
      gadgets: { query: '*' },
    });
    expect(argsFrom({ focus: { entity: 'gadget' } })).toEqual({});
    expect(argsFrom({ focus: { entity: 'widget', active: 'AAAA BBBB' } })).toEqual({});
    expect(argsFrom({ focus: undefined })).toEqual({});
  });

  test('takes a single item from the screen if it has no target of its own', () => {
    const params = { gadget: required(p.ref(() => gadget)), value: required(p.text()) };
    const edit = write(params);
    const item = { gadget: '#AAAA BBBB' };
    expect(draftOf({}, edit, focus).args).toEqual(item);
    expect(draftOf({}, edit, { entity: 'gadget', target: { ids: ['AAAA BBBB'] }, count: 1 }).args).toEqual(item);
    expect(draftOf({ gadget: 'other' }, edit, focus).args).toEqual({ gadget: 'other' });
    const none: readonly (Focus | undefined)[] = [
      { entity: 'gadget', target: { ids: ['a', 'b'] }, count: 2 },
      { entity: 'gadget', target: { query: '*' }, count: 1 },
      { ...focus, entity: 'widget' },
      undefined,
    ];
    expect(none.map((other) => draftOf({}, edit, other).args)).toEqual(none.map(() => ({})));
    // A command that chooses an item asks for it, and one with a target has its items already.
    expect(draftOf({}, write(params, { choosesItem: true }), focus).args).toEqual({});
    expect(draftOf({}, write({ gadgets: many, ...params }), focus).args).toEqual(target);
    const optional = write({ gadget: p.ref(() => gadget) });
    expect(draftOf({}, optional, focus).args).toEqual({});
  });

  test('defaults an undefined target and puts it first among the arguments', () => {
    const { args } = draftOf({ mode: 'INSTALLED', gadgets: undefined }, tune, focus);
    expect(Object.entries(args)).toEqual([...Object.entries(target), ['mode', 'INSTALLED']]);
  });

  test('keeps an explicit target', () => {
    const args = { gadgets: { query: 'state:OK' } };
    expect(draftOf(args, tune, focus).args).toEqual(args);
  });

  test('prompts for the first missing param, or for one that a line marks', () => {
    expect(promptedParam(draftOf({}))).toBe('gadgets');
    expect(promptedParam(draftOf({}, tune, focus))).toBe('mode');
    expect(promptedParam(draftOf({ ...target, mode: 'INSTALLED', volts: 3 }))).toBeUndefined();
    expect(promptedParam(draftOf({ ...target, mode: ASK, password: ASK }))).toBe('password');
    const secret = write({ gadgets: many, password: required(p.secret()), name: required(p.text()) });
    expect(promptedParam(draftOf({ password: ASK }, secret))).toBe('gadgets');
    expect(draftOf({ password: ASK }, secret)).not.toHaveProperty('activeParam');
  });
});

describe('a value', () => {
  test('completes the command with its last missing argument', () => {
    const value = withValue(draftOf(target), 'mode', 'INSTALLED');
    expect(value).toEqual({ args: { ...target, mode: 'INSTALLED' }, isComplete: true });
    expect(withValue(draftOf({}), 'mode', 'INSTALLED').isComplete).toBe(false);
  });

  test('is shown by its label and ends the prompt unless more values can follow', () => {
    const draft = { ...promptFor(draftOf(target), 'label'), text: 'typed' };
    const finishedDraft = setArg(draft, 'label', 'x', 'The label', false);
    expect([finishedDraft.args, finishedDraft.activeParam, finishedDraft.text, finishedDraft.labels]).toEqual([
      { ...target, label: 'x' },
      undefined,
      '',
      { label: 'The label' },
    ]);
    const openDraft = setArg(draft, 'events', ['MESSAGE_RECEIVED'], 'Messages', true);
    expect([openDraft.activeParam, openDraft.text, openDraft.labels, openDraft.args['events']]).toEqual([
      'events',
      '',
      {},
      ['MESSAGE_RECEIVED'],
    ]);
  });

  test('can be prompted for again, with an empty field', () => {
    const draft = promptFor({ ...draftOf(target), text: 'typed' }, 'volts');
    expect([promptedParam(draft), draft.text]).toEqual(['volts', '']);
  });
});

describe('a step back', () => {
  test('returns to the last argument as editable text, and finally to the command', () => {
    const draft = { ...draftOf({ ...target, mode: 'INSTALLED', volts: 3 }), labels: { mode: 'Installed' } };
    const first = stepBack(draft);
    expect(first).toMatchObject({ args: { ...target, mode: 'INSTALLED' }, activeParam: 'volts', text: '3' });
    expect(first?.labels).toEqual({ mode: 'Installed' });
    const second = stepBack(first!);
    // The prompt for an optional param without a value is canceled first.
    expect([second?.activeParam, second?.args]).toEqual([undefined, { ...target, mode: 'INSTALLED' }]);
    expect(stepBack(second!)).toMatchObject({ args: target, activeParam: 'mode', text: 'INSTALLED' });
    expect(stepBack(draftOf({}))).toBeUndefined();
    expect(stepBack(draftOf({ mode: undefined }))).toBeUndefined();
  });

  test('cancels the prompt for an added param, but not for a required one', () => {
    const addPrompt = { ...promptFor(draftOf(target), 'label'), text: 'half' };
    expect(stepBack(addPrompt)).toMatchObject({ args: target, activeParam: undefined, text: '' });
    const initialPrompt = promptFor(draftOf(target), 'mode');
    expect(stepBack(initialPrompt)).toMatchObject({ args: {}, activeParam: 'gadgets' });
    const prompt = promptFor(draftOf({ ...target, label: 'x' }), 'label');
    expect(stepBack(prompt)).toMatchObject({ args: target, activeParam: 'label', text: 'x' });
  });

  test('removes an argument for a param that no longer exists', () => {
    expect(stepBack(draftOf({ ...target, gone: 'x' }))).toMatchObject({ args: target, text: '' });
    expect(stepBack(promptFor(draftOf(target), 'gone'))).toMatchObject({ args: target, activeParam: undefined });
  });

  test('never shows a secret or hidden values', () => {
    const commandWithHidden = write({ header: p.pairs({ hidden: true }), shown: p.pairs(), password: p.secret() });
    expect(stepBack(draftOf({ header: { key: 'x' } }, commandWithHidden))?.text).toBe('');
    expect(stepBack(draftOf({ shown: { key: 'x' } }, commandWithHidden))?.text).toContain('x');
    expect(stepBack({ ...draftOf({}, commandWithHidden), args: { password: ASK } })?.text).toBe('');
  });
});

describe('the plan for a value that is not chosen yet', () => {
  const isShown = (args: Args, focus?: Focus) => isPreviewed(draftOf(args, tune, focus), testContext({ focus }));
  const selection = (count?: number): Focus => ({
    entity: 'gadget',
    target: { query: 'state:ERROR' },
    ...(count === undefined ? {} : { count }),
  });

  test('follows the highlighted row for up to 2,000 selected items', () => {
    expect([isShown({}, selection(2000)), isShown({}, selection(2001)), isShown({}, selection())]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('follows the highlighted row for any other target, or if there is no target', () => {
    expect(isShown({ gadgets: { query: 'state:OK' } }, selection(5000))).toBe(true);
    expect([isShown({}), isShown({ gadgets: { query: 'state:OK' } })]).toEqual([true, true]);
    expect(isShown({}, { entity: 'gadget', count: 5000 })).toBe(true);
    const beep = write({});
    expect(isPreviewed(draftOf({}, beep), testContext({ focus: selection(5000) }))).toBe(true);
  });
});

describe('a command', () => {
  const surface = (base: Command, args: Args = target) => createIntent(base, args, testContext()).surface;
  const loadInitial = async () => ({ values: {} });
  const problems = () => ({});

  test('starts immediately if nothing is missing, or else in the palette', () => {
    expect([surface(tune, { ...target, mode: 'INSTALLED' }), surface(tune)]).toEqual(['none', 'palette']);
    expect(createIntent(tune, { mode: 'INSTALLED' }, testContext({ focus: focus }))).toEqual({
      surface: 'none',
      args: { ...target, mode: 'INSTALLED' },
    });
    expect(surface(write({ gadgets: many, note: p.text() }))).toBe('none');
  });

  test('opens a form if it edits several fields of the target and none has a value', () => {
    const fields = { gadgets: many, name: p.text(), note: p.text() };
    expect(surface(write(fields, { initial: loadInitial }))).toBe('form');
    expect(surface(write(fields, { problems }))).toBe('form');
    expect(surface(write(fields, { initial: loadInitial }), { ...target, name: 'Pump' })).toBe('none');
    expect(surface(write(fields, { initial: loadInitial }), { ...target, name: undefined as never })).toBe('form');
    expect(surface(write(fields, { initial: loadInitial }), { ...target, gone: 'x' })).toBe('none');
    expect(surface(write({ name: p.text() }, { problems }), {})).toBe('none');
    expect(surface(write(fields, { initial: loadInitial }), {})).toBe('palette');
  });

  test('opens in the palette if it edits a single field', () => {
    const rename = write({ gadgets: many, name: required(p.text()) }, { initial: loadInitial });
    expect([surface(rename), surface(rename, { ...target, name: 'Pump' })]).toEqual(['palette', 'none']);
  });

  test('opens a form if it prompts for multiline text or a file', () => {
    const picture = required(p.file({ accept: ['image/png'], maxBytes: 1 }));
    expect(surface(write({ note: required(p.text({ multiline: true })) }), {})).toBe('form');
    expect(surface(write({ picture }), {})).toBe('form');
    expect(surface(write({ note: required(p.text()) }), {})).toBe('palette');
    expect(surface(write({ note: required(p.text()), picture }), {})).toBe('palette');
  });
});

test('offers optional params before creating an item, but not before changing one', () => {
  const offers = (base: Command) => offersOptionalParams(draftOf({}, base));
  const create = write({ name: required(p.text()), note: p.text() });
  expect(offers(create)).toBe(true);
  expect(offers(write({ name: required(p.text()) }))).toBe(false);
  expect(offers(write({ gadgets: many, note: p.text() }))).toBe(false);
  expect(offers({ ...create, effect: 'read' })).toBe(false);
  expect([hasOptionalParams(create), hasOptionalParams(write({}))]).toEqual([true, false]);
});
