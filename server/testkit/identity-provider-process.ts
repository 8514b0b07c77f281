/** Replaces the server in provider.test.ts. Starts the identity provider, reports its port, and waits. */
import process from 'node:process';

import { startIdentityProvider } from '#server/demo/identity/provider.ts';

const [folder = '', key = ''] = process.argv.slice(2);
const { port } = await startIdentityProvider({
  project: 'demo-test',
  people: [],
  signIn: new Set(['password'] as const),
  folder,
  sealingKey: Buffer.from(key, 'base64'),
});
process.send?.(port);
