import type { JsonValue } from '@bufbuild/protobuf';
import { and, eq } from 'drizzle-orm';

import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { type CreateExport_Request, Export_Status } from '#proto/gen/hiber/export_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Tx } from '#server/db/database.ts';
import { newIdentifier } from '#server/db/ids.ts';
import { organization as organizations } from '#server/db/schema/organization.ts';
import type { Scope } from '#server/session/scope.ts';
import { readEnteredText } from '#server/wire/entered-text.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';

import { readConfiguration } from './configuration.ts';
import { recordExportEvent } from './events.ts';
import { messageFields, valueFields } from './fields.ts';
import { readFormat, storeFormat } from './format.ts';
import { MAX_EXPORTS, MAX_PROCESSING } from './limits.ts';
import type { ExportRow } from './present.ts';
import { dataExport } from './schema.ts';

/**
 * Stores an export, which a worker starts at once.
 *
 * @param units the requester's UnitPreferences, as protobuf JSON
 */
export async function createExport(
  app: App,
  caller: Scope,
  { name, format, configuration, emailSubscribe }: CreateExport_Request,
  units: JsonValue,
): Promise<ExportRow> {
  const now = app.now();
  const { organization } = caller;
  const readName = readEnteredText(name, 'The name of an export', MAX_LENGTH.exportName);
  if (readName === '') throw invalidArgument('Enter a name for the export.');
  const content = await readConfiguration(app.db.orm, caller, configuration, now);
  const list = content.kind === 'messages' ? messageFields : valueFields;
  const stored = await readFormat(format, async () => (await list(app, caller, content.owners)).columns);
  return app.db.transaction(async (tx) => {
    await requireFreePlace(tx, organization);
    const [row] = await tx
      .insert(dataExport)
      .values({
        ...content,
        organization,
        identifier: newIdentifier('export'),
        name: readName,
        status: Export_Status.PROCESSING,
        format: storeFormat(stored),
        requestedBy: caller.session.user.id,
        emailSubscribed: emailSubscribe ?? false,
        units,
        createdAt: now,
        dueAt: now,
      })
      .returning();
    await recordExportEvent(tx, 'exportCreated', row as ExportRow, [], now);
    return row as ExportRow;
  });
}

/**
 * Checks the limits for the exports of an organization. Locks out other requests until the transaction ends, which
 * together could exceed the limits.
 */
async function requireFreePlace(tx: Tx, organization: string): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organization))
    .for('no key update');
  const isOwn = eq(dataExport.organization, organization);
  const processing = await tx.$count(dataExport, and(isOwn, eq(dataExport.status, Export_Status.PROCESSING)));
  if (processing >= MAX_PROCESSING) {
    throw failedPrecondition(
      `${organization} has ${MAX_PROCESSING} exports in progress. Wait until one is ready, or delete one.`,
    );
  }
  if ((await tx.$count(dataExport, isOwn)) >= MAX_EXPORTS) {
    throw failedPrecondition(`${organization} has ${MAX_EXPORTS} exports. Delete those that nobody needs.`);
  }
}
