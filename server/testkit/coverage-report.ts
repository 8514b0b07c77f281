// Prints the result of `npm run coverage:rpc`: a line for each rpc that is not served, then the count.
import { measureRpcCoverage } from './coverage.ts';
import { startTestServer } from './server.ts';

const server = await startTestServer();
const { served, unserved } = await measureRpcCoverage(server);
await server.close();
for (const { rpc, reason } of unserved) process.stdout.write(`not served  ${rpc}  (${reason})\n`);
process.stdout.write(`served ${served.length} of ${served.length + unserved.length}\n`);
// The opened event stream would keep this process alive.
process.exit();
