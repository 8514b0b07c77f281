import { type SQL, sql } from 'drizzle-orm';

import { parserDevice, parserTag } from '#server/db/schema/parser.ts';
import { deviceTag } from '#server/db/schema/tag.ts';

/**
 * Selects the parsers of devices, as rows of `number`, `owner`, and `parser`: those assigned directly, and those
 * assigned to a tag of the device. A parser that is assigned both ways is listed once.
 */
export const assignedParsers = (organization: string, numbers: SQL): SQL => sql`
  select number, owner, parser from ${parserDevice}
   where organization = ${organization} and number in (${numbers})
   union
  select tagged.number, link.owner, link.parser from ${deviceTag} as tagged
    join ${parserTag} as link on link.organization = tagged.organization and link.tag = tagged.tag
   where tagged.organization = ${organization} and tagged.number in (${numbers})`;
