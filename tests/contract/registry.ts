import { createRegistry } from '@bufbuild/protobuf';
import type { DescFile, DescMessage } from '@bufbuild/protobuf';

// Every generated module, found by looking rather than by a list, so that a new proto file is covered at once.
const modules = import.meta.glob<Record<string, unknown>>('../../proto/gen/**/*_pb.ts', { eager: true });

const isFile = (value: unknown): value is DescFile =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file';

export const files = Object.values(modules).flatMap((exports) => Object.values(exports).filter(isFile));

export const registry = createRegistry(...files);

export const services = files.flatMap((file) => file.services);

/** The services of the contract, without our own extensions. */
export const contractServices = services.filter((service) => service.typeName.startsWith('hiber.'));

/** @throws when the contract's message is not there. */
export function message(typeName: string): DescMessage {
  const found = registry.getMessage(typeName);
  if (!found) throw new Error(`${typeName} is not in the generated code`);
  return found;
}
