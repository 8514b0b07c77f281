import type { Ability } from '#commands/model/ability.ts';
import { testContext } from '#commands/testkit/context.ts';

import type { UserSession } from '../user-session.ts';

/** Returns the session of the tests' user, who has every ability except `missing`. */
export function testSession(...missing: readonly Ability[]): UserSession {
  const { actor, organization } = testContext();
  return {
    actor: { ...actor, abilities: new Set([...actor.abilities].filter((ability) => !missing.includes(ability))) },
    organization,
    preferences: {},
    acceptedTac: true,
    passwordResetRecommended: false,
  };
}
