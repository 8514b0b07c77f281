import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { UnitPreferencesService, UnitPreferences_UnitCategory } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { Value_Numeric_Pressure_PressureUnit as PressureUnit } from '#proto/gen/hiber/value_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const viewer = () => t.as('viewer').client(UnitPreferencesService);
const { IMPERIAL } = UnitPreferences_UnitCategory;
const psi = PressureUnit.PSI;

describe('unit preferences', () => {
  test('are initially empty and are stored by category', async () => {
    expect((await viewer().unitPreferences({})).preferences?.distancePreference).toBeUndefined();
    await viewer().unitPreferences({
      distance: { case: 'updateDistancePreference', value: { preference: IMPERIAL } },
      pressure: {
        case: 'updatePressurePreference',
        value: { preference: psi, format: { round: { case: 'roundToScale', value: 2 } } },
      },
    });
    const stored = { distancePreference: { preference: IMPERIAL }, pressurePreference: { preference: psi } };
    expect((await viewer().unitPreferences({})).preferences).toMatchObject(stored);
    const { preferences } = await viewer().unitPreferences({
      distance: { case: 'removeDistancePreference', value: true },
      pressure: { case: 'removePressurePreference', value: false },
    });
    expect(preferences?.distancePreference).toBeUndefined();
    expect(preferences?.pressurePreference?.format?.round).toEqual({ case: 'roundToScale', value: 2 });
    const others = await t.as('operator').client(UnitPreferencesService).unitPreferences({});
    expect(others.preferences?.pressurePreference).toBeUndefined();
  });

  test('reject unknown units and invalid rounding', async () => {
    const errorFor = (value: object) =>
      viewer()
        .unitPreferences({ pressure: { case: 'updatePressurePreference', value } })
        .then(() => 'accepted', String);
    expect(await errorFor({ preference: 99 })).toContain('update_pressure_preference.preference" is 99');
    expect(await errorFor({ format: { round: { case: 'roundToScale', value: 0 } } })).toContain('1 to 15 decimals');
    expect(await errorFor({ format: { roundingMode: 2 } })).toContain('format.rounding_mode" is 2');
  });

  test('require READ to read and UPDATE to change', async () => {
    const administrator = t.as('administrator').client(TokenService);
    const { token } = await administrator.create({ name: 'r', userPermissions: { include: [UserPermission.READ] } });
    const reader = t.with(token).client(UnitPreferencesService);
    await expect(reader.unitPreferences({})).resolves.toBeDefined();
    const change = reader.unitPreferences({ pressure: { case: 'removePressurePreference', value: true } });
    await expect(change).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});
