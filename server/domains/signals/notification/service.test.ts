import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  EmailNotificationPreferencesService,
  type UpdateEmailNotificationPreferencesRequestSchema,
} from '#proto/gen/hiber/email_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import type { PersonKind } from '#server/demo/seed/people.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const emails = (kind: PersonKind) => t.as(kind).client(EmailNotificationPreferencesService);

describe('emails about events', () => {
  test('are off by default and need no permission to turn on', async () => {
    expect(await emails('viewer').view({})).toMatchObject({
      organization: 'northwind',
      userId: demoPerson('viewer').id,
      active: false,
    });
    const preferences = await emails('viewer').update({ enabledNotifications: {} });
    expect(preferences).toMatchObject({ active: true, enabledNotifications: { include: [], exclude: [] } });
    expect(await emails('viewer').view({})).toEqual(preferences);
    expect((await emails('operator').view({})).active).toBe(false);
  });

  test('replace filters as a whole, and add and remove health levels', async () => {
    const { modems } = await t
      .as('viewer')
      .client(ModemService)
      .list({ pagination: { size: 1 } });
    const number = modems[0]?.number ?? '';
    await emails('viewer').update({
      enabledNotifications: { include: [EventType.ALARM_TRIGGERED, EventType.DEVICE_UPDATED] },
      filterModems: { include: [number.replace(' ', '').toLowerCase()] },
      addHealthLevelsToFilter: ['Alarm', 'Build up'],
    });
    const after = await emails('viewer').update({
      enabledNotifications: { exclude: [EventType.MESSAGE_RECEIVED] },
      removeHealthLevelsFromFilter: ['Build up'],
    });
    expect(after).toMatchObject({
      enabledNotifications: { include: [], exclude: [EventType.MESSAGE_RECEIVED] },
      filterModems: { include: [number], exclude: [] },
      filterHealthLevels: ['Alarm'],
    });
  });

  test('reject tag ids beyond the safe range, and omit stored ids beyond it', async () => {
    const filterTags = { exclude: [2n ** 63n - 1n] };
    const before = await emails('viewer').view({});
    await expect(emails('viewer').update({ filterTags })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining('filter_tags.exclude[0]" is 9223372036854775807'),
    });
    expect(await emails('viewer').view({})).toEqual(before);
    await t.app.db.pool.query(
      `update email_preference set tag_filter = '{"include": [7], "exclude": [9223372036854775807]}'`,
    );
    expect((await emails('viewer').view({})).filterTags).toMatchObject({ include: [7n], exclude: [] });
    await emails('viewer').update({ filterTags: {} });
  });

  test('support the deprecated wrappers, which clear a field without a value', async () => {
    const before = await emails('viewer').view({});
    const notUpdated = { updated: false, value: { include: [EventType.DEVICE_UPDATED] } };
    expect(await emails('viewer').update({ deprecatedEnabledNotifications: notUpdated })).toEqual(before);
    const response = await emails('viewer').update({ deprecatedFilterModems: { updated: true } });
    expect(response.filterModems).toMatchObject({ include: [], exclude: [] });
  });

  test('are left unchanged by a filter on unknown or invisible items', async () => {
    const before = await emails('viewer').view({});
    const invalidRequests: [MessageInitShape<typeof UpdateEmailNotificationPreferencesRequestSchema>, Code][] = [
      [{ filterModems: { include: ['xyz'] } }, Code.InvalidArgument],
      [{ filterModems: { include: ['FFFF FFFF'] } }, Code.NotFound],
      [{ filterTags: { include: [999_999n] } }, Code.NotFound],
      [{ addHealthLevelsToFilter: ['Superb'] }, Code.InvalidArgument],
      [{ enabledNotifications: { include: [EventType.TOKEN_CREATED] } }, Code.PermissionDenied],
    ];
    for (const [request, code] of invalidRequests) {
      await expect(emails('viewer').update(request)).rejects.toMatchObject({ code });
    }
    expect(await emails('viewer').view({})).toEqual(before);
  });

  test('are turned off by Delete, which also clears their filters', async () => {
    await emails('viewer').delete({});
    await emails('viewer').delete({});
    expect(await emails('viewer').view({})).toMatchObject({ active: false, filterHealthLevels: [] });
  });

  test('have a history that requires PUBLISHERS', async () => {
    await expect(emails('viewer').history({})).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(await emails('developer').history({})).toMatchObject({ emails: [], pagination: { total: 0 } });
  });
});
