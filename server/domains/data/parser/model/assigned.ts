import { type SQL, sql } from 'drizzle-orm';

import { parserDevice, parserTag } from '#server/db/schema/parser.ts';
import { deviceTag } from '#server/db/schema/tag.ts';

/**
 * Selects the parsers of devices, as rows of `number`, `owner`, and `parser`: those assigned directly, and those
 * assigned to a tag of the device. A parser that is assigned both ways is listed once.
 *
 * @param devices rows of `organization` and `number`, such as `keyRows`
 */
export const assignedParsers = (devices: SQL): SQL => sql`
  select number, link.owner, link.parser from ${devices} as key (organization, number)
    join ${parserDevice} as link using (organization, number)
   union
  select number, link.owner, link.parser from ${devices} as key (organization, number)
    join ${deviceTag} as tagged using (organization, number)
    join ${parserTag} as link on link.organization = tagged.organization and link.tag = tagged.tag`;
