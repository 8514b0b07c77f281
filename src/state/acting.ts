import { atom } from 'jotai';

import type { CurrentOrganization, Actor } from '#commands/model/actor.ts';

/** The signed-in person, and the organization this tab acts for; undefined until known. */
export interface Acting {
  readonly actor: Actor;
  readonly organization: CurrentOrganization;
  /** The web client's settings (`missionControlSettings`), parsed from JSON; may contain unknown keys. */
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly acceptedTac: boolean;
  readonly passwordResetRecommended: boolean;
}

export const actingAtom = atom<Acting | undefined>(undefined);
