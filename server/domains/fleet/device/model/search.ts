import { and, type SQL, sql } from 'drizzle-orm';

import { isAmong } from '#server/db/is-among.ts';
import { deviceSearch } from '#server/db/schema/device-search.ts';
import { device } from '#server/db/schema/device.ts';
import { deviceTag, tag } from '#server/db/schema/tag.ts';
import { substringPattern } from '#server/wire/text.ts';

/** Returns the different words of a search, in lowercase. */
export const wordsIn = (search: string): string[] => [...new Set(search.toLowerCase().split(/\s+/).filter(Boolean))];

/**
 * Selects the numbers of the devices that contain a word, themselves or in the name of one of their tags (not specified
 * in the contract). A number can appear several times.
 */
export function numbersWithWord(organizations: readonly string[], word: string): SQL {
  const inScope = sql`organization = any(${sql.param([...organizations])}::text[])`;
  const pattern = substringPattern(word);
  const matchingDevices = sql`select number from ${deviceSearch} where ${inScope} and text like ${pattern}`;
  // Look up devices tag by tag to avoid reading the tags of all devices. `offset 0` prevents a plain join.
  const taggedDevices = sql`
    select link.number from (select organization, id from ${tag} where ${inScope} and name ilike ${pattern}) as named
     cross join lateral (
       select number from ${deviceTag} where organization = named.organization and tag = named.id offset 0
     ) as link`;
  return sql`${matchingDevices} union all ${taggedDevices}`;
}

/**
 * Requires every word to match. Uses subqueries ({@link isAmong}) rather than joins or arrays, because PostgreSQL would
 * scan an array again for every row.
 */
export const matchesSearch = (organizations: readonly string[], search: string): SQL | undefined =>
  and(...wordsIn(search).map((word) => isAmong(device.number, numbersWithWord(organizations, word))));
