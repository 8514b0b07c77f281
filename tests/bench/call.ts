import { create, type DescMessage, type DescMethodUnary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { createConnectRouter } from '@connectrpc/connect';

import { createRoutes, routerOptions } from '#server/http/rpc/routes.ts';
import type { TestServer } from '#server/testkit/server.ts';

/**
 * Calls an rpc as an administrator, through the interceptors and the protocol's handler. Resolves when the response is
 * encoded because decoding is the client's work.
 */
export type Call = <Input extends DescMessage>(
  method: DescMethodUnary<Input>,
  request: MessageInitShape<Input>,
) => Promise<void>;

export function createCall({ app, as }: TestServer): Call {
  const { signal } = new AbortController();
  const router = createConnectRouter(routerOptions(app));
  createRoutes(app, signal)(router);
  const authorization = `bearer ${as('administrator').bearer}`;
  return async (method, request) => {
    const path = `/${method.parent.typeName}/${method.name}`;
    const handler = router.handlers.find(({ requestPath }) => requestPath === path);
    const bytes = toBinary(method.input, create(method.input, request));
    const response = await handler?.({
      httpVersion: '1.1',
      method: 'POST',
      url: `https://server.example${path}`,
      header: new Headers({ 'content-type': 'application/proto', authorization }),
      body: (async function* () {
        yield bytes;
      })(),
      signal,
    });
    let size = 0;
    for await (const chunk of response?.body ?? []) size += chunk.byteLength;
    if (response?.status !== 200 || size === 0) throw new Error(`${path} failed with ${response?.status}.`);
  };
}
