import { atom } from 'jotai';

import type { CurrentOrganization, Actor } from '#commands/model/actor.ts';

/** The signed-in user and the organization that this tab acts for. */
export interface UserSession {
  readonly actor: Actor;
  readonly organization: CurrentOrganization;
  /** The web client's settings (`missionControlSettings`), parsed from JSON. May contain unknown keys. */
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly acceptedTac: boolean;
  readonly passwordResetRecommended: boolean;
}

/** Undefined until the session is loaded, and after sign-out. */
export const userSessionAtom = atom<UserSession | undefined>(undefined);
