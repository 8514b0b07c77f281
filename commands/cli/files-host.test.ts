import { Code } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { filesHost } from './files-host.ts';
import { testIo } from './testkit/io.ts';

test('reports that the server is unreachable as rpcs do', async () => {
  // Fetch never connects to this port.
  const files = filesHost({ server: 'http://127.0.0.1:1', token: 'token' }, testIo());
  const { signal } = new AbortController();
  await expect(files.fetch('/files/x', signal)).rejects.toMatchObject({ code: Code.Unavailable });
  const file = {
    organization: 'x',
    identifier: 'y',
    isDraft: false,
    name: 'z',
    mediaType: 'a/b',
    bytes: new Uint8Array(),
  };
  await expect(files.upload(file, signal, () => undefined)).rejects.toMatchObject({ code: Code.Unavailable });
  await expect(files.fetch('/files/x', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});
