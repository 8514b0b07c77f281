import { CertificateService } from '#proto/gen/hiber/certificate_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const certificatePolicy = rpcs(CertificateService, {
  list: read('CERTIFICATES'),
  rename: change('CERTIFICATES_MANAGE'),
  upload: change('CERTIFICATES_MANAGE'),
  delete: change('CERTIFICATES_MANAGE'),
});
