import type { DescMethod, DescService } from '@bufbuild/protobuf';

import { rpcName } from '#server/policies/rpcs.ts';

const modules = import.meta.glob<Record<string, unknown>>('../../../proto/gen/**/*_pb.ts', { eager: true });

const isService = (value: unknown): value is DescService =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';

/** All rpcs, including our own, from the generated code. */
export const methods: readonly DescMethod[] = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isService)
  .flatMap((service) => service.methods);

export const methodNamed: ReadonlyMap<string, DescMethod> = new Map(methods.map((method) => [rpcName(method), method]));
