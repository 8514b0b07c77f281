import type { connectNodeAdapter } from '@connectrpc/connect-node';

/** Answers one HTTP/1.1 or HTTP/2 request. */
export type NodeHandlerFn = ReturnType<typeof connectNodeAdapter>;
export type NodeRequest = Parameters<NodeHandlerFn>[0];
export type NodeResponse = Parameters<NodeHandlerFn>[1];
