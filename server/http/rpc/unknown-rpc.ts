import { Code, ConnectError } from '@connectrpc/connect';

/** Matches `/package.Service/Method`. The console's paths never have a dot in their first segment. */
const RPC_PATH = /^\/[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+\/[A-Za-z_]\w*$/;

const GRPC_TYPE = /^application\/grpc\b/i;

/**
 * True if a request calls an rpc, known or not. Its path looks like an rpc's path, or it has a gRPC content type, which
 * is only used for calls.
 */
export const isCall = (path: string, contentType = ''): boolean => RPC_PATH.test(path) || GRPC_TYPE.test(contentType);

/** Creates the error for an rpc that this server doesn't have, which replaces the console's page. */
export const unknownRpc = (path: string): ConnectError =>
  new ConnectError(`This server has no rpc ${path.slice(1)}.`, Code.Unimplemented);
