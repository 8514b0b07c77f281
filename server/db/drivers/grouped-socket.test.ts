import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test, vi } from 'vitest';

import { GroupedSocket } from './grouped-socket.ts';

/** Writes as pg does for a statement. */
function writeStatement(socket: GroupedSocket, ...parts: readonly string[]): void {
  socket.cork();
  for (const part of parts) socket.write(part);
  socket.uncork();
}

test('sends the statements of a turn of the event loop together, and the next ones without waiting for more', async () => {
  let received = '';
  const server = createServer((connection) => connection.on('data', (data) => (received += data.toString())));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = new GroupedSocket();
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.resume();
  const send = vi.spyOn(socket, '_writev');

  writeStatement(socket, 'a', 'b');
  await Promise.resolve();
  writeStatement(socket, 'c', 'd');
  await nextTurn();
  expect(send).toHaveBeenCalledOnce();
  writeStatement(socket, 'e', 'f');
  await vi.waitFor(() => expect(received).toBe('abcdef'));
  expect(send).toHaveBeenCalledTimes(2);

  // What was written just before the end is still sent.
  writeStatement(socket, 'g');
  socket.end();
  await once(socket, 'close');
  await vi.waitFor(() => expect(received).toBe('abcdefg'));
  server.close();
});
