import { toJsonString } from '@bufbuild/protobuf';

import { loadUnitPreferences } from '#commands/nouns/self/me/unit-preferences.ts';
import { UnitPreferencesSchema } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { announceChange, onChange } from '#src/data/changes.ts';
import { report } from '#src/net/report.ts';
import { contextNow } from '#src/run/context.ts';
import { ME } from '#src/session/follow-me.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

/** The entities whose lists and panels show values, which the server converts to the user's units. */
const WITH_VALUES = ['device', 'process-point'];

let known: { readonly organization: string; readonly units: string } | undefined;

/** Reloads all values when the user's units may have changed, here or in another window. */
export function followUnits(): () => void {
  return onChange(({ entity }) => {
    if (entity === ME && store.get(userSessionAtom)) reloadChangedUnits().catch(report);
  });
}

async function reloadChangedUnits(): Promise<void> {
  const context = contextNow();
  const organization = context.organization.id;
  const units = toJsonString(UnitPreferencesSchema, await loadUnitPreferences(context));
  const isSame = known?.organization === organization && known.units === units;
  known = { organization, units };
  if (!isSame) announceChange(organization, WITH_VALUES);
}
