/**
 * Stands in for the server process in provider.test.ts: starts the identity provider, reports its port, and keeps
 * running.
 */
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
