import { create } from '@bufbuild/protobuf';

import {
  FeaturesSchema,
  IdentityProviderSchema,
  InfoResponseSchema,
  SignInSchema,
  ServerService,
} from '#proto/gen/quarterdeck/server/v1/server_service_pb.ts';
import { service } from '#server/app/service.ts';

export const serverService = service(ServerService, ({ config }) => ({
  info: () =>
    create(InfoResponseSchema, {
      version: config.version,
      build: config.build,
      identityProvider: create(IdentityProviderSchema, {
        firebaseApiKey: config.identity.apiKey,
        firebaseProject: config.identity.project,
        emulator: config.identity.kind === 'embedded',
      }),
      signIn: create(SignInSchema, {
        password: config.signIn.has('password'),
        token: config.signIn.has('token'),
        google: config.signIn.has('google'),
        outbox: config.demo && config.smtp === undefined ? `${config.origin}/outbox` : '',
        helpDesk: config.helpDesk?.url ?? '',
      }),
      features: create(FeaturesSchema, { demo: config.demo, loopbackDeliveries: config.allowLoopbackDeliveries }),
      sentryDsn: config.sentryDsn,
    }),
}));
