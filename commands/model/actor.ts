import type { Ability, Grants } from './ability.ts';

export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The organization to act for by default. Empty for a new user. */
  readonly home: string;
  readonly grants: Grants;
  readonly abilities: ReadonlySet<Ability>;
  /** The identifiers of the roles that the user is trying out in this organization, instead of their own roles. */
  readonly trialRoles?: readonly string[];
}

/**
 * A support session, during which support staff act for another organization. The server stores the
 * session and records every call made in it. The session is read-only until changes are allowed.
 */
export interface SupportSession {
  readonly id: string;
  /** Empty if no reason was given. */
  readonly reason: string;
  /** When the session expires, in ms since the epoch. */
  readonly endsAt: number;
  readonly changesAllowed: boolean;
}

/** The organization that the user is acting for. */
export interface CurrentOrganization {
  /** The slug that every request includes. */
  readonly id: string;
  readonly name: string;
  readonly features: ReadonlySet<string>;
  /** True if this isn't the actor's home organization. Every plan then names the organization in its color. */
  readonly awayFromHome: boolean;
  /** Set during a support session, which limits what the user may do. */
  readonly supportSession?: SupportSession;
}
