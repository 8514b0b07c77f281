// Prints what `npm run coverage:rpc` found: a line for each rpc that is not served, then the count.
import { rpcCoverage } from './coverage.ts';
import { startTestServer } from './server.ts';

const server = await startTestServer();
const { served, unserved } = await rpcCoverage(server);
await server.close();
for (const { rpc, reason } of unserved) process.stdout.write(`not served  ${rpc}  (${reason})\n`);
process.stdout.write(`served ${served.length} of ${served.length + unserved.length}\n`);
// The event stream that was opened would keep this process for as long as it may last.
process.exit();
