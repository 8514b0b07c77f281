import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

import type { ArgValue } from '#commands/model/arg-value.ts';
import { command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required, requiredUnless } from '#commands/model/params.ts';
import { tune } from '#commands/testkit/gadget.ts';
import { message } from '#commands/text/message.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { contextNow } from '#src/run/context.ts';
import { WHOLE_FORM } from '#src/ui/fields/use-form.ts';

import { draftOf, enteredArgs, isVarious, typedTexts } from './draft.ts';
import { useParamForm, type ParamForm } from './use-param-form.ts';

afterEach(cleanup);

const initialState = { values: { mode: 'INSTALLED', keywords: ['a'], label: 'x' } };

function openForm(spec: Partial<Parameters<typeof useParamForm>[0]> = {}) {
  showGadgets();
  const context = contextNow();
  const start = draftOf(tune, {}, initialState, {}, context);
  const { result } = renderHook(() => useParamForm({ command: tune, context, start, ...spec }));
  return {
    form: (): ParamForm => result.current,
    enter: (name: string, value: ArgValue | undefined) => act(() => result.current.enter(name, value)),
    submit: () => act(async () => result.current.submit()),
  };
}

const tuneDraft = (texts: Readonly<Record<string, string>>, args = {}) =>
  draftOf(tune, args, initialState, texts, contextNow());

test('shows invalid text instead of the initial value and does not submit that value', () => {
  showGadgets();
  const { form, enter } = openForm({ start: tuneDraft({ mode: '][' }) });
  expect(form().values['mode']?.value).toBeUndefined();
  expect(form().args).toEqual({});
  enter('mode', 'DECOMMISSIONED');
  expect(form().values['mode']?.value).toBe('DECOMMISSIONED');
  expect(form().args).toEqual({ mode: 'DECOMMISSIONED' });
});

test('shows unfinished text of a list next to its items', () => {
  showGadgets();
  expect(tuneDraft({ keywords: 'b' }).values['keywords']).toMatchObject({ value: ['a'], text: 'b' });
});

test('runs with the changed values, but stores every entered value', () => {
  showGadgets();
  const { form, enter } = openForm({ start: tuneDraft({}, { label: 'y' }) });
  expect(form().args).toEqual({ mode: 'INSTALLED', label: 'y' });
  enter('label', 'x');
  enter('keywords', ['a', 'b']);
  expect(form().args).toEqual({ mode: 'INSTALLED', keywords: ['a', 'b'] });
  enter('keywords', ['a']);
  expect(form().args).toEqual({ mode: 'INSTALLED' });
  expect(enteredArgs(form().draft)).toEqual({ label: 'x', keywords: ['a'] });
});

test('stores a cleared value as entered, and does not show the initial value again', () => {
  const { form, enter } = openForm();
  enter('label', undefined);
  expect(form().values['label']?.value).toBeUndefined();
  expect(Object.entries(enteredArgs(form().draft))).toEqual([['label', undefined]]);
  const reopened = openForm({ start: form().draft });
  expect(reopened.form().values['label']?.value).toBeUndefined();
  expect(reopened.form().draft).toEqual(form().draft);
});

test('restores invalid text with its problem, and relative to the same initial values', () => {
  const { form } = openForm();
  const problem = message('console:form.unchanged');
  act(() => form().enter('label', undefined, problem, 'yy'));
  const reopened = openForm({ start: form().draft });
  expect(typedTexts(reopened.form().values)).toEqual({ label: 'yy' });
  expect(reopened.form().values['label']?.problem).toEqual(problem);
  reopened.enter('label', 'x');
  expect(reopened.form().args).toEqual({ mode: 'INSTALLED' });
  expect(typedTexts(reopened.form().values)).toEqual({});
});

test("shows 'Various' until something is entered, and again once it is cleared", () => {
  showGadgets();
  const start = draftOf(tune, {}, { values: {}, various: ['mode'] }, {}, contextNow());
  const { form, enter } = openForm({ start });
  expect(isVarious(form().draft, 'mode')).toBe(true);
  enter('mode', 'INSTALLED');
  expect(isVarious(form().draft, 'mode')).toBe(false);
  enter('mode', undefined);
  expect(isVarious(form().draft, 'mode')).toBe(true);
});

test('submits once a missing value is no longer required', async () => {
  showGadgets();
  const build = command({
    id: 'app.x',
    effect: 'navigate',
    params: { name: required(p.text()), roles: requiredUnless('none', message('x'), p.words()), none: p.flag() },
    run: async () => ({}),
  });
  const submitted: unknown[] = [];
  const { form, enter, submit } = openForm({
    command: build,
    start: draftOf(build, { name: 'a' }, { values: {} }, {}, contextNow()),
    submit: async (args) => void submitted.push(args),
  });
  await submit();
  expect(Object.keys(form().errors)).toEqual(['roles']);
  enter('none', true);
  await submit();
  expect(submitted).toEqual([{ name: 'a', none: true }]);
});

test('checks the form as a whole once no field is invalid, until something is entered', async () => {
  const unchanged = message('console:form.unchanged');
  showGadgets();
  const start = tuneDraft({}, { gadgets: { ids: ['AAAA BBBB'] } });
  const { form, enter, submit } = openForm({ start, checkArgs: () => unchanged });
  await submit();
  expect(form().errors[WHOLE_FORM]).toEqual(unchanged);
  enter('keywords', ['b']);
  expect(form().errors[WHOLE_FORM]).toBeUndefined();
});

test.each([
  ['label', WHOLE_FORM],
  ['mode', 'mode'],
])('a refusal that names %s is shown by its field, or by the form if it has none', async (param, shownBy) => {
  showGadgets();
  const { form, submit } = openForm({
    start: tuneDraft({}, { gadgets: { ids: ['AAAA BBBB'] } }),
    hasField: (name) => name === 'mode',
    submit: () => Promise.reject(new CommandError(message('gone'), param)),
  });
  await submit();
  expect(form().errors).toEqual({ [shownBy]: message('gone') });
});
