import { Code, ConnectError } from '@connectrpc/connect';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, expect, test, vi } from 'vitest';

import { p } from '#commands/model/params.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { testContext } from '#commands/testkit/context.ts';
import { gadget } from '#commands/testkit/gadget.ts';
import { reportUnreachable, reportReachable } from '#src/net/reach.ts';
import { store } from '#src/state/store.ts';
import { Field } from '#src/ui/fields/Field.tsx';

import { ParamControl } from './controls.tsx';

afterEach(cleanup);

test("repeats a picker's search when the server is reachable again", async () => {
  const suggest = vi.fn<() => Promise<readonly Suggestion[]>>();
  suggest
    .mockRejectedValueOnce(new ConnectError('unavailable', Code.Unavailable))
    .mockResolvedValue([{ value: 'avo', label: 'Avocet' }]);
  render(
    <Provider store={store}>
      <ParamControl
        param={p.words({ suggest })}
        value={[]}
        isVarious={false}
        onValue={() => undefined}
        context={testContext()}
      />
    </Provider>,
  );
  await userEvent.click(screen.getByRole('combobox'));
  await vi.waitFor(() => expect(suggest).toHaveBeenCalledTimes(1));
  reportUnreachable();
  expect(await screen.findByText(/^Can't reach .+\.$/)).toBeTruthy();
  reportReachable();
  expect(await screen.findByRole('option', { name: /Avocet/ })).toBeTruthy();
});

test.each([
  { kind: 'one', param: p.ref(() => gadget), required: true, empty: 'Choose one' },
  { kind: 'one', param: p.ref(() => gadget), required: false, empty: 'Optional' },
  { kind: 'several', param: p.words({ suggest: async () => [] }), required: true, empty: 'Choose at least one' },
  { kind: 'typed words', param: p.words({}), required: true, empty: 'Enter at least one' },
  { kind: 'several', param: p.words({}), required: false, empty: 'Optional' },
])('shows the placeholder “$empty” in a picker: kind $kind, required $required', ({ param, required, empty }) => {
  render(
    <Field label="Roles" required={required}>
      <ParamControl
        param={param}
        value={undefined}
        isVarious={false}
        onValue={() => undefined}
        context={testContext()}
      />
    </Field>,
  );
  expect(screen.getByPlaceholderText(empty)).toBeTruthy();
});

test.each([
  {
    kind: 'words',
    param: p.words(),
    pasted: 'a@b.example\nc@d.example',
    expected: ['z', 'a@b.example', 'c@d.example'],
  },
  { kind: 'items', param: p.refs(() => gadget), pasted: 'north\tsouth', expected: ['z', 'north', 'south'] },
  { kind: 'choices', param: p.choices(['OFF', 'ON']), pasted: 'on\r\noff\r\n', expected: ['z', 'ON', 'OFF'] },
])('adds pasted lines or cells as several $kind', async ({ param, pasted, expected }) => {
  const onValue = vi.fn<(value: unknown) => void>();
  render(<ParamControl param={param} value={['z']} isVarious={false} onValue={onValue} context={testContext()} />);
  await userEvent.click(screen.getByRole('combobox'));
  await userEvent.paste(pasted);
  await userEvent.keyboard('{Enter}');
  await vi.waitFor(() => expect(onValue).toHaveBeenCalledWith(expected));
});

test.each([
  { closed: false, options: ['Name', 'Last', 'na'] },
  { closed: true, options: ['Name'] },
])('offers the typed words only if they can be valid: closed $closed', async ({ closed, options }) => {
  const suggest = async (): Promise<readonly Suggestion[]> => [
    { value: 'name', label: 'Name' },
    { value: 'last', label: 'Last' },
  ];
  render(
    <ParamControl
      param={p.words({ suggest, closed })}
      value={[]}
      isVarious={false}
      onValue={() => undefined}
      context={testContext()}
    />,
  );
  await userEvent.type(screen.getByRole('combobox'), 'na');
  await vi.waitFor(() => expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(options));
});
