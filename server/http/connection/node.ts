import type { connectNodeAdapter } from '@connectrpc/connect-node';

/** Answers one request, of HTTP/1.1 or of HTTP/2. */
export type NodeHandlerFn = ReturnType<typeof connectNodeAdapter>;
export type NodeRequest = Parameters<NodeHandlerFn>[0];
export type NodeResponse = Parameters<NodeHandlerFn>[1];
