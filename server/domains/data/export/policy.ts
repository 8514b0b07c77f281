import { ExportService } from '#proto/gen/hiber/export_pb.ts';
import { ExportProgressService } from '#proto/gen/quarterdeck/export/v1/export_progress_service_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const exportPolicy = rpcs(ExportService, {
  list: read('EXPORT'),
  // The service also checks the permission for the exported content.
  create: change('EXPORT'),
  // Any member may list process point fields; message fields require MODEM_MESSAGES.
  availableFields: read(),
  extend: change('EXPORT'),
  delete: change('EXPORT'),
});

export const exportProgressPolicy = rpcs(ExportProgressService, { listProgress: read('EXPORT') });
