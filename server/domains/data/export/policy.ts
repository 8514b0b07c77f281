import { ExportService } from '#proto/gen/hiber/export_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const exportPolicy = rpcs(ExportService, {
  list: read('EXPORT'),
  // The kind of content of an export or of a list of values decides.
  create: change('EXPORT'),
  // Any member for process points; MODEM_MESSAGES guards the fields of messages.
  availableFields: read(),
  extend: change('EXPORT'),
  delete: change('EXPORT'),
});
