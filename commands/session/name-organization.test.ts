import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { TagService } from '#proto/gen/hiber/tag_pb.ts';

import { organizationNameInterceptor } from './name-organization.ts';

const denial = 'You need the TAGS_MANAGE permission in organization "northwind" to do this.';

async function callDenied(current: () => { id: string; name: string } | undefined): Promise<ConnectError> {
  const transport = createRouterTransport(
    ({ service }) => {
      service(TagService, {
        delete: () => {
          throw new ConnectError(denial, Code.PermissionDenied, { 'x-call': '7' });
        },
      });
    },
    { transport: { interceptors: [organizationNameInterceptor(current)] } },
  );
  return createClient(TagService, transport)
    .delete({})
    .then(
      () => Promise.reject(new Error('expected the call to be rejected')),
      (error: unknown) => ConnectError.from(error),
    );
}

test('names the current organization in a denial and keeps the other parts of the error', async () => {
  const error = await callDenied(() => ({ id: 'northwind', name: 'Northwind $& Energy' }));
  expect(error.rawMessage).toBe(
    'You need the TAGS_MANAGE permission in organization "Northwind $& Energy" to do this.',
  );
  expect([error.code, error.metadata.get('x-call')]).toEqual([Code.PermissionDenied, '7']);
});

test.each([
  ['before the organization is known', undefined],
  ['of another organization', { id: 'north', name: 'North' }],
])('leaves a denial %s unchanged', async (_case, organization) => {
  expect((await callDenied(() => organization)).rawMessage).toBe(denial);
});
