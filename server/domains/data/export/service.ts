import { create, toJson } from '@bufbuild/protobuf';
import { and, eq } from 'drizzle-orm';

import {
  AvailableFieldsForExport_ResponseSchema,
  CreateExport_RequestSchema,
  CreateExport_ResponseSchema,
  DeleteExport_ResponseSchema,
  ExportService,
  ExtendExportDownloadExpiry_ResponseSchema,
  ListExports_RequestSchema,
  ListExports_ResponseSchema,
} from '#proto/gen/hiber/export_pb.ts';
import { UnitPreferencesSchema } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { ExportProgressService } from '#proto/gen/quarterdeck/export/v1/export_progress_service_pb.ts';
import { service } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';
import { unitPreferencesOf } from '#server/session/unit-preferences.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { effectivePagination, paginationResult, readPage } from '#server/wire/pagination.ts';

import { ownersOf, requireOwners } from './configuration.ts';
import { deleteExportContents } from './contents.ts';
import { createExport } from './create.ts';
import { extendExport } from './extend.ts';
import { messageFields, valueFields } from './fields.ts';
import { findExports, loadFiles, lockExport, visibleExports } from './find.ts';
import { presentExport } from './present.ts';
import { listProgress } from './progress.ts';
import { dataExport, exportFile } from './schema.ts';

export const exportService = service(ExportService, (app) => ({
  async list(request, context) {
    const caller = scope(context);
    const now = app.now();
    const requestedPage = readPage(request.pagination);
    const { rows, total } = await findExports(app.db.orm, caller, request.selection, now, requestedPage);
    const files = await loadFiles(
      app.db.orm,
      caller.organization,
      rows.map(({ identifier }) => identifier),
    );
    const asAssets = !request.useProcessPointInConfiguration;
    return create(ListExports_ResponseSchema, {
      exports: rows.map((row) => presentExport(row, files.get(row.identifier) ?? [], now, { asAssets })),
      pagination: paginationResult(requestedPage, total),
      request: create(ListExports_RequestSchema, {
        ...request,
        organization: caller.organization,
        pagination: effectivePagination(requestedPage),
      }),
    });
  },

  async create(request, context) {
    const caller = scope(context);
    const units = toJson(UnitPreferencesSchema, unitPreferencesOf(context));
    const row = await createExport(app, caller, request, units);
    const asAssets = request.configuration?.type.case === 'assetValues';
    return create(CreateExport_ResponseSchema, {
      created: presentExport(row, [], app.now(), { asAssets }),
      request: create(CreateExport_RequestSchema, { ...request, organization: caller.organization }),
    });
  },

  async availableFields(request, context) {
    const caller = scope(context);
    const content = ownersOf(request.configuration);
    if (content === undefined) {
      throw invalidArgument('Specify whose fields to list: messages of devices, or values of process points.');
    }
    if (content.kind === 'messages') caller.require('MODEM_MESSAGES');
    await requireOwners(app.db.orm, caller, content);
    const list = content.kind === 'messages' ? messageFields : valueFields;
    const { jsonPaths, columns } = await list(app, caller, content.owners);
    return create(AvailableFieldsForExport_ResponseSchema, { jsonPaths: [...jsonPaths], csvColumns: [...columns] });
  },

  async extend(request, context) {
    const { row, files, now } = await extendExport(app, scope(context), request);
    return create(ExtendExportDownloadExpiry_ResponseSchema, { export: presentExport(row, files, now) });
  },

  /** Deletes an export with its files. One in progress ends with its current batch. */
  async delete({ identifier }, context) {
    const caller = scope(context);
    await app.db.transaction(async (tx) => {
      await lockExport(tx, caller, identifier);
      await deleteExportContents(tx, caller.organization, eq(exportFile.export, identifier));
      await tx.delete(dataExport).where(and(visibleExports(caller), eq(dataExport.identifier, identifier)));
    });
    return create(DeleteExport_ResponseSchema);
  },
}));

export const exportProgressService = service(ExportProgressService, (app) => ({
  listProgress: (request, context) => listProgress(app, scope(context), request.identifiers),
}));
