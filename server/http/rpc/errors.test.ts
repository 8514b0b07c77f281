import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';

import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { createLog } from '#server/base/log.ts';

import { errorInterceptor } from './errors.ts';

function createFailingServer(error: Error) {
  const logLines: string[] = [];
  const fail = async <T>(): Promise<T> => {
    throw error;
  };
  const log = createLog('json', (line) => logLines.push(line));
  const transport = createRouterTransport(
    ({ service }) => {
      service(TagService, { list: fail });
      service(EventService, {
        async *stream() {
          yield await fail<Event>();
        },
      });
    },
    { router: { interceptors: [errorInterceptor(log)] } },
  );
  return { logLines, tags: createClient(TagService, transport), events: createClient(EventService, transport) };
}

describe('an unexpected error', () => {
  const defect = new Error('Failed query: select 1\nparams: hunter2', { cause: new Error('no such table') });

  test('reaches the caller as a reference, and is logged without query parameters', async () => {
    const { tags, logLines } = createFailingServer(defect);
    const error = await tags.list({}).then(() => undefined, ConnectError.from);
    expect(error?.code).toBe(Code.Internal);
    const reference = /reference (\w+)/.exec(error?.message ?? '')?.[1];
    expect(logLines).toHaveLength(1);
    expect(JSON.parse(logLines[0] ?? '')).toMatchObject({
      level: 'error',
      rpc: 'hiber.tag.TagService.List',
      reference,
      error: 'Failed query: select 1',
      cause: 'no such table',
    });
    expect(logLines[0]).not.toContain('hunter2');
  });

  test('ends a stream in the same way', async () => {
    const { events, logLines } = createFailingServer(defect);
    const stream = events.stream({})[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject({ code: Code.Internal });
    expect(logLines).toHaveLength(1);
  });
});

describe('a deliberate error', () => {
  test('reaches the caller unchanged and is not logged', async () => {
    const { tags, logLines } = createFailingServer(new ConnectError('no such tag', Code.NotFound));
    await expect(tags.list({})).rejects.toMatchObject({ code: Code.NotFound, rawMessage: 'no such tag' });
    expect(logLines).toEqual([]);
  });

  test('truncates a long message and states its full length', async () => {
    const { tags } = createFailingServer(new ConnectError('漢'.repeat(1_000_000), Code.InvalidArgument));
    const { rawMessage } = await tags.list({}).then(() => ConnectError.from('none'), ConnectError.from);
    expect(rawMessage).toMatch(/^漢+… \(1000000 characters\)$/);
    expect(rawMessage).toHaveLength(800);
  });

  test('is well-formed Unicode, even with half a surrogate pair', async () => {
    const { tags } = createFailingServer(new ConnectError(`no tag "${'\u{1f600}'.slice(0, 1)}"`, Code.NotFound));
    await expect(tags.list({})).rejects.toMatchObject({ code: Code.NotFound, rawMessage: 'no tag "\ufffd"' });
  });
});
