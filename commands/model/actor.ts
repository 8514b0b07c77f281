import type { Ability, Grants } from './ability.ts';

export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The organization the person acts for when none is named; empty for a newcomer. */
  readonly home: string;
  readonly grants: Grants;
  readonly abilities: ReadonlySet<Ability>;
  /**
   * Identifiers of the roles that the person tries out in this organization instead of their own; absent while they
   * do not.
   */
  readonly trying?: readonly string[];
}

/**
 * Support staff act for an organization that is not theirs. The server keeps the visit and records each call made in
 * it; it may only read until changes are allowed.
 */
export interface Visit {
  readonly id: string;
  /** Empty when none was given. */
  readonly reason: string;
  /** When it ends by itself, in ms since the epoch. */
  readonly endsAt: number;
  readonly changesAllowed: boolean;
}

export interface ActingOrganization {
  /** The slug that every request names. */
  readonly id: string;
  readonly name: string;
  readonly features: ReadonlySet<string>;
  /** True while this is not the actor's home: every plan then names it in its own colour. */
  readonly impersonating: boolean;
  /** Set while support staff act for it: what may be done is what the visit allows. */
  readonly visit?: Visit;
}
