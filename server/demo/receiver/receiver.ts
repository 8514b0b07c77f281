/**
 * `npm run receiver`: a small HTTP server to use as the destination of a webhook. It prints each delivery, and whether
 * its signature is valid.
 */
import process from 'node:process';

import { ReceiverUsageError, RECEIVER_USAGE, readReceiverOptions } from './options.ts';
import { startReceiver } from './server.ts';

try {
  const options = readReceiverOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(RECEIVER_USAGE);
  } else {
    const receiver = await startReceiver(options, (line) => process.stdout.write(`${line}\n`));
    const checks = options.secret === undefined ? "signatures aren't checked (no --secret)" : 'signatures are checked';
    process.stdout.write(`Listening on ${receiver.url}; ${checks}. Press Ctrl-C to stop.\n`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void receiver.close());
  }
} catch (error) {
  if (error instanceof ReceiverUsageError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  } else if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    process.stderr.write('That port is already in use. Choose another one with --port.\n');
    process.exitCode = 1;
  } else if ((error as NodeJS.ErrnoException).code === 'EACCES') {
    process.stderr.write("You don't have permission to listen on that port. Choose one above 1023 with --port.\n");
    process.exitCode = 1;
  } else {
    throw error;
  }
}
