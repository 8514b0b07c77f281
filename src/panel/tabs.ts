import type { Ability } from '#commands/core/ability';
import type { AnyEntity, Related } from '#commands/core/entity';

export const OVERVIEW = 'overview';

/** What belongs to an item and may be seen by this person, in the order of the tabs after the overview. */
export function relatedFor(entity: AnyEntity, abilities: ReadonlySet<Ability>): readonly Related<unknown>[] {
  return (entity.related ?? []).filter(({ requires }) => !requires || abilities.has(requires));
}

/** The tab next to `current`, around the ends. */
export function neighbourTab(
  entity: AnyEntity,
  abilities: ReadonlySet<Ability>,
  current: string | undefined,
  by: 1 | -1,
): string {
  const ids = [OVERVIEW, ...relatedFor(entity, abilities).map(({ id }) => id)];
  const at = Math.max(0, ids.indexOf(current ?? OVERVIEW));
  return ids[(at + by + ids.length) % ids.length] ?? OVERVIEW;
}
