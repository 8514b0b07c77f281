import { sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { visibleEventTypes } from '#server/events/visibility.ts';
import { permissionsOfRoles, supportPermissionsOfRoles } from '#server/policies/roles.ts';

/** A recipient of emails about an organization, with what they may see. */
export interface Recipient {
  readonly id: string;
  readonly email: string;
  /** The numbers of the event types that they can see. */
  readonly types: ReadonlySet<number>;
  /** True if they also get events about devices that are not installed. */
  readonly allLifecycles: boolean;
}

/**
 * Finds the users who can get emails about an organization, according to their current permissions. These are members
 * of the organization or of an ancestor who are not suspended, and support staff. Excludes users who have turned emails
 * off in the meantime.
 */
export async function findRecipients(
  tx: Executor,
  organization: string,
  users: readonly string[],
): Promise<Recipient[]> {
  const { rows } = await tx.execute<{
    id: string;
    email: string;
    here: string[] | null;
    anywhere: string[] | null;
  }>(sql`
    select u.id, u.email, m.here, m.anywhere
    from app_user u
    cross join lateral (
      select array_agg(role) filter (where o.path @> array[held.organization::text]) as here, array_agg(role) as anywhere
      from organization o, membership held, unnest(held.roles || array['']) as role
      where o.id = ${organization} and held.user_id = u.id and held.suspended_at is null
    ) as m
    join email_preference p on p.organization = ${organization} and p.user_id = u.id and p.active
    where u.id = any(${sql.param([...users])}::text[]) and u.deleted_at is null
    order by u.id`);
  return rows.flatMap(({ id, email, here, anywhere }) => {
    const support = supportPermissionsOfRoles(anywhere ?? []);
    // A member without roles still belongs to the organization, so the empty role stands for the membership itself.
    const roles = here ?? (support.has('CUSTOMER_SUPPORT') ? ['support'] : undefined);
    if (roles === undefined) return [];
    const permissions = permissionsOfRoles(roles);
    const types = new Set(visibleEventTypes((permission) => permissions.has(permission)));
    return { id, email, types, allLifecycles: support.has('DEVICE_VIEW_ALL_LIFECYCLES') };
  });
}
