import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const filePolicy = rpcs(FileService, {
  list: read(),
  get: read('FILES'),
  upload: change('FILES_UPLOAD'),
  // MANAGE_FILES is what this rpc is for; everywhere else a support permission changes what a normal call does.
  delete: { ...change(), support: ['MANAGE_FILES'] },
});
