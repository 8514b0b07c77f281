import { create } from '@bufbuild/protobuf';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import type { AnyEntity } from '#commands/model/entity.ts';
import { device } from '#commands/nouns/fleet/device/entity.ts';
import { outboundTransfer } from '#commands/nouns/fleet/outbound-transfer/entity.ts';
import { transfer } from '#commands/nouns/fleet/transfer/entity.ts';
import { webhook } from '#commands/nouns/integrations/webhook/entity.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import { loadWindow } from '#commands/run/paging.ts';
import { Pagination_ResultSchema } from '#proto/gen/hiber/base_pb.ts';
import { ModemSchema } from '#proto/gen/hiber/modem_pb.ts';
import { showAt } from '#src/address/testkit/show-at.tsx';
import { queryClient } from '#src/data/query-client.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadParser } from '#src/registry/filter-language.ts';
import { loadAll } from '#src/registry/registry.ts';
import { tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { testSession } from '#src/state/testkit/user-session.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { EntityScreen } from './EntityScreen.tsx';

beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings(), loadParser()]);
});
beforeEach(() => showGadgets());
afterEach(() => {
  cleanup();
  queryClient.clear();
});

/** Shows the devices list of a server that has one device but reports the given total. */
function showDevices(total: number): void {
  const response = {
    items: [{ modem: create(ModemSchema, { number: 'AAAA 0001', name: 'Avocet 7' }), level: 'ok' as const }],
    pagination: create(Pagination_ResultSchema, { total }),
  };
  vi.spyOn(device, 'list').mockImplementation(async (_context, _compiled, window) =>
    loadWindow(window, async () => response),
  );
  vi.spyOn(device, 'staffOnly').mockResolvedValue(undefined);
  showAt('/devices', () => <EntityScreen entity={device} />);
}

/** Shows an empty list. Returns its title and the names of its buttons. */
async function showEmpty(entity: AnyEntity, title: string): Promise<readonly (string | null)[]> {
  vi.spyOn(entity, 'list').mockResolvedValue({ items: [], total: 0 });
  showAt(entity.screen!.path, () => <EntityScreen entity={entity} />);
  const message = (await screen.findByText(title)).parentElement!;
  return within(message)
    .queryAllByRole('button')
    .map(({ firstChild }) => firstChild!.textContent);
}

const CAPPED_NOTICE =
  'Some of the connected sensors are not shown as limit is exceeded, please contact customer support.';

test('warns that rows are missing if the server ends the list before its total', async () => {
  showDevices(2);
  expect((await screen.findByText(CAPPED_NOTICE)).getAttribute('role')).toBe('status');
});

test('shows no warning above a complete list', async () => {
  showDevices(1);
  await screen.findByText('Avocet 7');
  expect(screen.queryByText(CAPPED_NOTICE)).toBeNull();
});

test('offers in an empty list only the commands that fill it', async () => {
  expect(await showEmpty(device, 'No devices yet')).toEqual(['Create device']);
  cleanup();
  expect(await showEmpty(transfer, 'No inbound transfers yet')).toEqual([]);
  cleanup();
  expect(await showEmpty(outboundTransfer, 'No outbound transfers yet')).toEqual(['Start transfer']);
  cleanup();
  expect(await showEmpty(organization, 'No sub-organizations yet')).toEqual(['Create a sub-organization']);
});

test('says below the buttons of an empty list why the user can use none of them', async () => {
  store.set(userSessionAtom, testSession('PUBLISHERS'));
  expect(await showEmpty(webhook, 'No webhooks yet')).toEqual(['Create webhook', 'Import webhooks']);
  const reason = 'You need the “Manage webhooks and other publishers” permission. An administrator can grant it.';
  expect(screen.getAllByText(reason).filter(({ hidden }) => !hidden)).toHaveLength(1);
});

test('keeps saying that nothing matches until the list without the filter has loaded', async () => {
  const list = vi.spyOn(device, 'list').mockResolvedValue({ items: [], total: 0 });
  vi.spyOn(device, 'staffOnly').mockResolvedValue(undefined);
  const url = showAt('/devices?filter=zzz', () => <EntityScreen entity={device} />);
  await screen.findByText('Nothing matches this filter');
  let finishLoading: (() => void) | undefined;
  list.mockReturnValue(
    new Promise((resolve) => {
      finishLoading = () => resolve({ items: [], total: 0 });
    }),
  );
  const requestCount = list.mock.calls.length;
  act(() => store.get(tableHostAtom)?.setFilter(''));
  await waitFor(() => expect(list.mock.calls.length).toBeGreaterThan(requestCount));
  expect(url()).toBe('/devices');
  expect(screen.queryByText('No devices yet')).toBeNull();
  expect(screen.getByText('Nothing matches this filter')).toBeDefined();
  finishLoading?.();
  await screen.findByText('No devices yet');
});
