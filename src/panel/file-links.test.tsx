import { create } from '@bufbuild/protobuf';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Provider } from 'jotai';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import type { Ability } from '#commands/model/ability.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { registry } from '#commands/nouns/all.ts';
import { ExportSchema, Export_Status } from '#proto/gen/hiber/export_pb.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { loadAll } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { Overview } from './Overview.tsx';

const invoke = vi.hoisted(() => vi.fn<(invocation: unknown) => Promise<void>>(async () => undefined));
vi.mock('#src/run/invoke.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), invoke }));

beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings()]);
  provide({ files: {} as HostCapabilities['files'], timer: {} as HostCapabilities['timer'] });
});
afterEach(cleanup);

function showExport(...missing: readonly Ability[]): void {
  store.set(userSessionAtom, testSession(...missing));
  const urls = ['messages-1.csv', 'messages-2.csv'].map((name) => ({ name, url: `https://example.com/${name}` }));
  const item = { export: create(ExportSchema, { identifier: 'e1', status: Export_Status.READY, urls }) };
  render(
    <Provider store={store}>
      <Overview entity={registry.entity('export')!} item={item} />
    </Provider>,
  );
}

test('the name of a file downloads it', async () => {
  showExport();
  await userEvent.setup().click(screen.getByRole('button', { name: 'messages-2.csv' }));
  const args = { exports: { ids: ['e1'] }, file: 'messages-2.csv' };
  await waitFor(() => expect(invoke.mock.calls).toEqual([[{ id: 'export.download', args }]]));
});

test('the name of a file is plain text for users who cannot download it', () => {
  showExport('EXPORT');
  expect(screen.getByText('messages-1.csv').tagName).toBe('SPAN');
  expect(screen.queryByRole('button', { name: /messages/ })).toBeNull();
});
