import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

import type { DescMethod, DescService } from '@bufbuild/protobuf';

const generatedFolder = fileURLToPath(new URL('../../proto/gen/', import.meta.url));

/**
 * Loads every rpc in the contract and in our extensions, found in the generated code rather than in a list. Excludes
 * bidirectional streaming rpcs, which the fuzzer's protocol, HTTP/1.1, does not support.
 */
export async function loadMethods(): Promise<DescMethod[]> {
  const files = readdirSync(generatedFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('_pb.ts'),
  );
  const modules = await Promise.all(
    files
      .sort()
      .map(async (name) => (await import(pathToFileURL(generatedFolder + name).href)) as Record<string, unknown>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter(isService)
    .flatMap(({ methods }) => methods)
    .filter(({ methodKind }) => methodKind !== 'bidi_streaming');
}

const isService = (value: unknown): value is DescService =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';

/** Returns the HTTP path of an rpc, such as `/hiber.tag.TagService/List`. */
export const pathOf = (method: DescMethod): string => `/${method.parent.typeName}/${method.name}`;
