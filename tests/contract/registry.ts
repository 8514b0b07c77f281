import { createRegistry } from '@bufbuild/protobuf';
import type { DescFile, DescMessage } from '@bufbuild/protobuf';

// Every generated module, found with a glob to include new proto files.
const modules = import.meta.glob<Record<string, unknown>>('../../proto/gen/**/*_pb.ts', { eager: true });

const isFile = (value: unknown): value is DescFile =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file';

export const files = Object.values(modules).flatMap((exports) => Object.values(exports).filter(isFile));

export const registry = createRegistry(...files);

export const services = files.flatMap((file) => file.services);

/** The services of the contract, without our own extensions. */
export const contractServices = services.filter((service) => service.typeName.startsWith('hiber.'));

/**
 * Returns the descriptor of a message.
 *
 * @throws if the contract has no such message
 */
export function message(typeName: string): DescMessage {
  const descriptor = registry.getMessage(typeName);
  if (!descriptor) throw new Error(`${typeName} is not in the generated code`);
  return descriptor;
}
