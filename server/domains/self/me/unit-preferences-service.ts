import { create, toJson } from '@bufbuild/protobuf';
import { eq } from 'drizzle-orm';

import {
  UnitPreferences_ResponseSchema,
  UnitPreferencesService,
  UnitPreferencesSchema,
} from '#proto/gen/hiber/unit_preferences_pb.ts';
import { service } from '#server/app/service.ts';
import { appUser } from '#server/db/schema/user.ts';
import { permissionDenied, session } from '#server/session/scope.ts';
import { readUnitPreferences, unitPreferencesOf } from '#server/session/unit-preferences.ts';

import { applyChanges, readChanges } from './unit-changes.ts';

export const unitPreferencesService = service(UnitPreferencesService, (app) => ({
  async unitPreferences(request, context) {
    const { user, userPermissions } = session(context);
    const changes = readChanges(request);
    if (changes.length === 0) {
      return create(UnitPreferences_ResponseSchema, { preferences: unitPreferencesOf(context) });
    }
    if (!userPermissions.has('UPDATE')) throw permissionDenied('UPDATE', undefined);
    const preferences = await app.db.transaction(async (tx) => {
      const where = eq(appUser.id, user.id);
      const [row] = await tx.select({ stored: appUser.unitPreferences }).from(appUser).where(where).for('update');
      const newPreferences = applyChanges(readUnitPreferences(row?.stored ?? {}), changes);
      await tx
        .update(appUser)
        .set({ unitPreferences: toJson(UnitPreferencesSchema, newPreferences) })
        .where(where);
      return newPreferences;
    });
    return create(UnitPreferences_ResponseSchema, { preferences });
  },
}));
