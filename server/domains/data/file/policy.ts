import { FileService } from '#proto/gen/hiber/file_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const filePolicy = rpcs(FileService, {
  list: read(),
  get: read('FILES'),
  upload: change('FILES_UPLOAD'),
  // The contract reserves this rpc for holders of MANAGE_FILES.
  delete: { ...change(), support: ['MANAGE_FILES'] },
});
