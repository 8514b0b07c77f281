import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';

import { type UnitPreferences, UnitPreferencesSchema } from '#proto/gen/hiber/unit_preferences_pb.ts';

import { session } from './scope.ts';

/** Reads stored preferences, ignoring fields written by a newer release. */
export function readUnitPreferences(stored: unknown): UnitPreferences {
  return fromJson(UnitPreferencesSchema, stored as JsonValue, { ignoreUnknownFields: true });
}

/**
 * Returns the unit preferences of the caller, who is a person or the owner of a token. They apply in every
 * organization, including in support sessions, because organizations have no preferences of their own. Call it once per
 * request.
 */
export function unitPreferencesOf(context: HandlerContext): UnitPreferences {
  return readUnitPreferences(session(context).user.unitPreferences);
}
