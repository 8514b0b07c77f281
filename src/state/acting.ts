import { atom } from 'jotai';

import type { ActingOrganization, Actor } from '#commands/model/actor.ts';

/** Who is signed in and for which organization this tab acts; undefined until that is known. */
export interface Acting {
  readonly actor: Actor;
  readonly organization: ActingOrganization;
  /** JSON of the web client (`missionControlSettings`), parsed; unknown keys are kept. */
  readonly preferences: Readonly<Record<string, unknown>>;
  readonly acceptedTac: boolean;
  readonly passwordResetRecommended: boolean;
}

export const actingAtom = atom<Acting | undefined>(undefined);
