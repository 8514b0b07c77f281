import { Code, ConnectError } from '@connectrpc/connect';

/** `/package.Service/Method`: the console's own addresses never have a dot in their first part. */
const RPC_PATH = /^\/[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+\/[A-Za-z_]\w*$/;

const GRPC_TYPE = /^application\/grpc\b/i;

/** Whether a request calls an rpc, here or not: its path names one, or it speaks gRPC, which asks for nothing else. */
export const isCall = (path: string, contentType = ''): boolean => RPC_PATH.test(path) || GRPC_TYPE.test(contentType);

/** The refusal of a call to an rpc that this server does not have: it must not come back as the console's page. */
export const unknownRpc = (path: string): ConnectError =>
  new ConnectError(`This server has no rpc ${path.slice(1)}.`, Code.Unimplemented);
