// `npm run coverage:rpc`: which rpcs of the contract this server really serves. Counted from the running router: every
// rpc is called by somebody who holds every permission, and those that do not answer UNIMPLEMENTED are served.
import { readdir } from 'node:fs/promises';
import process from 'node:process';
import type { DescService } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { refusalOf, startTestServer, transportFor } from './testing.ts';

/** The services of the contract, found in the generated code rather than in a list. */
async function contractServices(): Promise<DescService[]> {
  const folder = new URL('../proto/gen/hiber/', import.meta.url);
  const names = (await readdir(folder)).toSorted();
  const modules = await Promise.all(names.map((name) => import(new URL(name, folder).href) as Promise<object>));
  return modules.flatMap((module) => Object.values(module) as unknown[]).filter(isService);
}

const isService = (value: unknown): value is DescService =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';

const server = await startTestServer();
const transport = transportFor(server.app, server.as('support').bearer);
const methods = (await contractServices()).flatMap((service) => service.methods);
let served = 0;
for (const method of methods) {
  if ((await refusalOf(transport, method))?.code !== Code.Unimplemented) served += 1;
  else process.stdout.write(`not served  ${method.parent.typeName}/${method.name}\n`);
}
await server.close();
process.stdout.write(`served ${served} of ${methods.length}\n`);
