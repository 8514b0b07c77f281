import { cleanup, render, screen } from '@testing-library/react';
import { Provider } from 'jotai';
import { afterEach, beforeAll, expect, test } from 'vitest';

import type { Ability } from '#commands/model/ability.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { tagFiles } from '#commands/nouns/fleet/tag/files.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { loadAll } from '#src/registry/registry.ts';
import { provide } from '#src/run/context.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { FilesTab } from './FilesTab.tsx';

const HINT = 'Drop files here, or paste them.';

beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings()]);
  provide({ files: {} as HostCapabilities['files'], timer: {} as HostCapabilities['timer'] });
});
afterEach(cleanup);

function showFiles(...missing: readonly Ability[]): void {
  store.set(userSessionAtom, testSession(...missing));
  render(
    <Provider store={store}>
      <FilesTab organization="acme" title="Files" tab={tagFiles as never} item={{ tag: { id: 1n } }} />
    </Provider>,
  );
}

test('asks to drop or paste files', () => {
  showFiles();
  expect(screen.getByText(HINT)).toBeDefined();
});

test("doesn't ask users who can't attach files to drop them", () => {
  showFiles('MANAGE_TAGS');
  expect(screen.getByRole('button', { name: 'Attach file' }).getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByText(HINT)).toBeNull();
  const reason = /^You need the “.*tags” permission\./;
  expect(screen.getAllByText(reason).filter(({ hidden }) => !hidden)).toHaveLength(1);
});
