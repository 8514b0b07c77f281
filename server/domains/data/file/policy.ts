import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const filePolicy = rpcs(FileService, {
  list: read(),
  get: read('FILES'),
  upload: change('FILES_UPLOAD'),
  // This rpc exists for MANAGE_FILES; everywhere else a support permission only changes what a normal call does.
  delete: { ...change(), support: ['MANAGE_FILES'] },
});
