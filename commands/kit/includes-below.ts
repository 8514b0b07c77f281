import type { AnyEntity } from '#commands/model/entity.ts';
import { parseFilter } from '#commands/query/parse.ts';

// Not in `below.ts`, because lists declare that key, and load before the parser.

/** True if a filter includes items of sub-organizations. */
export function includesBelow(entity: AnyEntity, text: string): boolean {
  return parseFilter(text, entity).filter.terms.some(({ key }) => key === 'below');
}
