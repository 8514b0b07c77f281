/** The demo's parsers: one for each family of payloads (simulator/payload.ts). */
import type { parser, parserDevice } from '#server/db/schema/parser.ts';
import { familyOf, type PayloadFamily, payloadFamilies } from '#server/demo/simulator/payload.ts';

import type { DeviceRow } from './fleet.ts';
import { type FieldRow, declarations } from './parser-declarations.ts';
import { createRandom } from './random.ts';

/** The error that every parser gives for a broken payload (BROKEN_BYTES). A test compares it with theirs. */
export const BROKEN_ERROR = { error: 'Field battery at byte 1: 2 bytes needed, 1 left.', offset: 1 } as const;

export interface SeededParsers {
  readonly parsers: readonly (typeof parser.$inferInsert)[];
  readonly fields: readonly FieldRow[];
  readonly byFamily: Readonly<Record<PayloadFamily, typeof parser.$inferInsert>>;
}

/** The parsers belong to one organization, and its sub-organizations use them. */
export function seedParsers(organization: string, now: Date): SeededParsers {
  const random = createRandom('parsers');
  const identifier = (prefix: string) =>
    `${prefix}-${Array.from({ length: 20 }, () => random.integer(0, 15).toString(16)).join('')}`;
  const rows = payloadFamilies.map((family) => {
    const { name, definition: source } = declarations[family];
    const row = {
      organization,
      identifier: identifier('parser'),
      name,
      definition: source,
      metadataFields: {},
      availableToAll: true,
      createdAt: now,
    };
    return [family, row] as const;
  });
  const fields = rows.flatMap(([family, row]) =>
    declarations[family].fields.map((field) => ({
      organization,
      parser: row.identifier,
      identifier: identifier('field'),
      ...field,
    })),
  );
  return {
    parsers: rows.map(([, row]) => row),
    fields,
    byFamily: Object.fromEntries(rows) as SeededParsers['byFamily'],
  };
}

/** Assigns each device its family's parser, from the time it was installed. */
export function assignParsers(
  { byFamily }: SeededParsers,
  devices: readonly DeviceRow[],
): (typeof parserDevice.$inferInsert)[] {
  return devices.flatMap(({ organization, number, metadata, createdAt }) => {
    const family = familyOf(metadata['profile']);
    if (family === undefined) return [];
    const { identifier, organization: owner } = byFamily[family];
    return [{ organization, number, parser: identifier, owner, since: createdAt ?? new Date(0) }];
  });
}
