import { create } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { device } from '#commands/nouns/fleet/device/entity.ts';
import { loadWindow } from '#commands/run/paging.ts';
import { Pagination_ResultSchema } from '#proto/gen/hiber/base_pb.ts';
import { ModemSchema } from '#proto/gen/hiber/modem_pb.ts';
import { showAt } from '#src/address/testkit/show-at.tsx';
import { queryClient } from '#src/data/query-client.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import { showGadgets } from '#src/palette/testkit/show-gadgets.ts';
import { loadAll } from '#src/registry/registry.ts';

import { EntityScreen } from './EntityScreen.tsx';

beforeAll(async () => {
  await Promise.all([loadAll(), loadAllStrings()]);
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
