import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const filePolicy = rpcs(FileService, {
  list: read(),
  get: read('FILES'),
  upload: change('FILES_UPLOAD'),
  // The only gate that requires a support permission; elsewhere a support permission only widens a normal call.
  delete: { ...change(), support: ['MANAGE_FILES'] },
});
