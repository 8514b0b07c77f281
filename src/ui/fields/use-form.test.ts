import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';

import { message } from '#commands/text/message.ts';

import { useForm, WHOLE_FORM, type Errors, type Problem } from './use-form.ts';

afterEach(cleanup);

interface Values {
  readonly name: string;
  readonly tags: readonly string[];
  readonly note?: string | undefined;
}

const MISSING = message('common:missing');
const REFUSAL = message('common:refusal', { name: message('common:name') });

function openForm(spec: Partial<Parameters<typeof useForm<Values>>[0]> = {}) {
  const submit = vi.fn<(values: Values) => Promise<void>>(async () => undefined);
  const initial: Values = { name: '', tags: ['a'] };
  const check = ({ name }: Values): Errors<Values> => ({ name: name === '' ? MISSING : undefined });
  const explain = (error: unknown): Problem | undefined => error as Problem | undefined;
  const { result } = renderHook(() => useForm<Values>({ initial, check, submit, explain, ...spec }));
  return { submit, form: () => result.current, send: () => act(async () => result.current.submit()) };
}

test('keeps errors as the messages themselves, which are translated when they are shown', async () => {
  const { form, submit, send } = openForm();
  await send();
  expect(form().errors.name).toBe(MISSING);
  act(() => form().change('name', 'Finn'));
  submit.mockRejectedValueOnce({ message: REFUSAL, field: 'tags' });
  await send();
  expect(form().errors).toEqual({ tags: REFUSAL });
  expect(form().errors.tags).toBe(REFUSAL);
});

test('clears only the error of the changed field', async () => {
  const check = (): Errors<Values> => ({ name: MISSING, tags: MISSING, [WHOLE_FORM]: REFUSAL });
  const { form, send } = openForm({ check });
  await send();
  act(() => form().change('name', 'F'));
  expect(form().errors).toEqual({ tags: MISSING, [WHOLE_FORM]: REFUSAL });
  act(() => form().clearError(WHOLE_FORM));
  expect(form().errors).toEqual({ tags: MISSING });
});

test.each([
  [{ message: REFUSAL, field: 'name' }, { name: REFUSAL }],
  [{ message: REFUSAL, field: 'unknown' }, { [WHOLE_FORM]: REFUSAL }],
  [{ message: REFUSAL }, { [WHOLE_FORM]: REFUSAL }],
  [undefined, {}],
])('keeps the values after a failed submit, and assigns %j to a field or the form', async (problem, errors) => {
  const onFailure = vi.fn<(errors: Errors<Values>) => void>();
  const { form, submit, send } = openForm({ onFailure });
  act(() => form().change('name', 'Finn'));
  submit.mockRejectedValueOnce(problem);
  await send();
  expect(form().values.name).toBe('Finn');
  expect(form().errors).toEqual(errors);
  expect(onFailure).toHaveBeenCalledOnce();
  expect(form().isBusy).toBe(false);
});

test('submits once at a time, and the values of changes that are not rendered yet', async () => {
  const { form, submit } = openForm();
  let finish = (): void => undefined;
  submit.mockImplementationOnce(() => new Promise((resolve) => (finish = resolve)));
  act(() => {
    const { change, submit: send } = form();
    change('name', 'Finn');
    send();
    send();
  });
  expect(form().isBusy).toBe(true);
  await act(async () => form().submit());
  expect(submit.mock.calls).toEqual([[{ name: 'Finn', tags: ['a'] }]]);
  await act(async () => finish());
  expect(form().isBusy).toBe(false);
  await act(async () => form().submit());
  expect(submit).toHaveBeenCalledTimes(2);
});

test('distinguishes changed values from entered values, including initial values', () => {
  const start = { values: { name: 'Finn', tags: ['a'] }, entered: ['name'], errors: { tags: MISSING } };
  const { form } = openForm({ start });
  const state = () => [form().entered, (['name', 'tags', 'note'] as const).filter((name) => form().isDirty(name))];
  expect(form().errors).toEqual({ tags: MISSING });
  expect(state()).toEqual([['name'], ['name']]);
  act(() => form().change('tags', ['a', 'b']));
  act(() => form().change('note', undefined));
  expect(state()).toEqual([
    ['name', 'tags', 'note'],
    ['name', 'tags'],
  ]);
  act(() => form().change('name', ''));
  act(() => form().change('tags', ['a']));
  expect(state()).toEqual([['name', 'tags', 'note'], []]);
});

test('returns to new initial values', async () => {
  const { form, send } = openForm();
  await send();
  act(() => form().change('tags', []));
  act(() => form().restart({ name: 'Finn', tags: ['b'] }));
  expect(form().values).toEqual({ name: 'Finn', tags: ['b'] });
  expect(form().initial).toEqual({ name: 'Finn', tags: ['b'] });
  expect([form().entered, form().errors, form().isDirty('tags')]).toEqual([[], {}, false]);
  act(() => form().change('tags', ['a']));
  expect(form().isDirty('tags')).toBe(true);
});
