import type { DescMethod, DescService } from '@bufbuild/protobuf';

import { rpcName } from '#server/policies/rpcs.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../../proto/gen/**/*_pb.ts', { eager: true });

const isService = (value: unknown): value is DescService =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';

/** Every rpc in the contract and our own, found in the generated code rather than in a list. */
export const methods: readonly DescMethod[] = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isService)
  .flatMap((service) => service.methods);

export const methodNamed: ReadonlyMap<string, DescMethod> = new Map(methods.map((method) => [rpcName(method), method]));
