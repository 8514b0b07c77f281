import { Code, ConnectError } from '@connectrpc/connect';
import { errorToJson } from '@connectrpc/connect/protocol-connect';
import type { NodeRequest, NodeResponse } from './node.ts';

/** `/package.Service/Method`: a dot in the first part is what the console's own addresses never have. */
const rpcPath = /^\/[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+\/[A-Za-z_]\w*$/;

export const isRpcPath = (path: string): boolean => rpcPath.test(path);

/**
 * Answers a call to an rpc that this server does not have, in the protocol that the caller speaks: such a path must
 * not come back as the console's page.
 */
export function answerUnknownRpc(request: NodeRequest, response: NodeResponse, path: string): void {
  const error = new ConnectError(`This server has no rpc ${path.slice(1)}.`, Code.Unimplemented);
  const type = request.headers['content-type'] ?? '';
  if (type.startsWith('application/grpc')) {
    // Trailers-only: status in the headers, no body (gRPC over HTTP/2; gRPC-web allows the same).
    response.writeHead(200, {
      'content-type': type,
      'grpc-status': String(error.code),
      'grpc-message': encodeURIComponent(error.rawMessage),
    });
    response.end();
    return;
  }
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(errorToJson(error, undefined)));
}
