import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { StringValueSchema } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type ConnectRouter } from '@connectrpc/connect';
import { connectNodeAdapter, createGrpcWebTransport } from '@connectrpc/connect-node';
import { expect, onTestFinished, test } from 'vitest';

import { message } from '#commands/text/message.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';

import {
  CommandError,
  failureOf,
  isAbort,
  isRejection,
  isReportable,
  isUnauthenticated,
  isUnimplemented,
  NothingInCommonError,
  PartlyDoneError,
  UnknownValueError,
} from './errors.ts';

/** Returns an error as it arrives in a server's response. */
const responseError = (code: Code, text: string): ConnectError =>
  new ConnectError(text, code, { 'content-type': 'application/grpc-web+proto' });

const connection = { key: 'core:error.connection' };
const serverMessage = (text: string) => ({ key: 'core:error.server', values: { text } });

/**
 * For each status, lists its name, the message to show (spec 8), whether it is retryable, whether it is reported, and
 * whether the call certainly changed nothing.
 */
test.each([
  [Code.Canceled, 'canceled', connection, true, false, false],
  [Code.Unknown, 'unknown', connection, true, true, false],
  [Code.InvalidArgument, 'invalid_argument', serverMessage('x'), false, false, true],
  [Code.DeadlineExceeded, 'deadline_exceeded', serverMessage('x'), true, true, false],
  [Code.NotFound, 'not_found', serverMessage('x'), false, true, true],
  [Code.AlreadyExists, 'already_exists', serverMessage('x'), false, true, true],
  [Code.PermissionDenied, 'permission_denied', serverMessage('x'), false, false, true],
  [Code.ResourceExhausted, 'resource_exhausted', serverMessage('x'), true, true, false],
  [Code.FailedPrecondition, 'failed_precondition', serverMessage('x'), false, true, true],
  [Code.Aborted, 'aborted', connection, true, true, false],
  [Code.OutOfRange, 'out_of_range', serverMessage('x'), false, true, true],
  [Code.Unimplemented, 'unimplemented', connection, true, true, false],
  [Code.Internal, 'internal', connection, true, true, false],
  [Code.Unavailable, 'unavailable', connection, true, false, false],
  [Code.DataLoss, 'data_loss', connection, true, true, false],
  [Code.Unauthenticated, 'unauthenticated', serverMessage('x'), false, false, false],
])('maps status %i to the failure %s', (status, code, expectedMessage, retryable, reported, rejected) => {
  const error = responseError(status, 'x');
  const failure = failureOf(error);
  expect(failure).toEqual({ code, message: expectedMessage, retryable });
  expect([isReportable(error), isRejection(failure)]).toEqual([reported, rejected]);
  expect([isUnauthenticated(error), isUnimplemented(error)]).toEqual([
    status === Code.Unauthenticated,
    status === Code.Unimplemented,
  ]);
});

test("keeps the message and param of a command error and doesn't report it", () => {
  const error = new CommandError(message('core:missing'), 'tag');
  expect(failureOf(error)).toEqual({ code: 'command', message: { key: 'core:missing' }, retryable: false });
  expect([isRejection(failureOf(error)), isReportable(error)]).toEqual([true, false]);
  expect(error).toMatchObject({ name: 'CommandError', message: 'core:missing', param: 'tag' });
  expect(error.forParam('devices').param).toBe('tag');
  expect(new CommandError(message('core:missing')).forParam('devices').param).toBe('devices');
  expect(new UnknownValueError(message('core:missing'), 'eror', ['ERROR'])).toMatchObject({
    userMessage: { key: 'core:missing' },
    value: 'eror',
    nearMatches: ['ERROR'],
  });
  expect(new NothingInCommonError('health')).toMatchObject({
    userMessage: { key: 'common:filter.nothing', values: { key: 'health' } },
    key: 'health',
  });
});

test('reports a programming error', () => {
  const error = new TypeError('x is not a function');
  expect(isReportable(error)).toBe(true);
  expect([isAbort(error), isUnauthenticated(error), isUnimplemented(error)]).toEqual([false, false, false]);
  expect([isAbort(undefined), isAbort({ name: 'AbortError' })]).toEqual([false, false]);
});

test("does not mistake the numeric code of another library's error for a status", () => {
  const errorWithCode = (code: Code) => Object.assign(new Error('x'), { code });
  expect(isAbort(errorWithCode(Code.Canceled))).toBe(false);
  expect(isUnauthenticated(errorWithCode(Code.Unauthenticated))).toBe(false);
  expect(isUnimplemented(errorWithCode(Code.Unimplemented))).toBe(false);
  expect(isReportable(errorWithCode(Code.Unavailable))).toBe(true);
});

test.each([
  ['There is no such tag.', 'There is no such tag.'],
  ['{"message": "There is no such tag."}', 'There is no such tag.'],
  ['{"message": " There is no such tag. "}', 'There is no such tag.'],
  ['{not JSON}', '{not JSON}'],
  ['"There is no such tag."', '“There is no such tag.”'],
  ['There is no tag "a" in "north".', 'There is no tag “a” in “north”.'],
  ['A lone " stays.', 'A lone " stays.'],
  ['x'.repeat(1200), 'x'.repeat(1000)],
])('reads %s as the message %s', (text, expectedMessage) => {
  expect(failureOf(responseError(Code.InvalidArgument, text)).message).toEqual(serverMessage(expectedMessage));
});

test('ignores error details, because gRPC-web delivers them only as bytes', async () => {
  const detail = { desc: StringValueSchema, value: { value: 'The tag is in use.' } };
  const reject = (): never => {
    throw new ConnectError('', Code.FailedPrecondition, undefined, [detail]);
  };
  const routes = (router: ConnectRouter) => void router.service(TagService, { create: reject });
  const server = createServer(connectNodeAdapter({ routes, grpc: false, connect: false })).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const transport = createGrpcWebTransport({ baseUrl: `http://127.0.0.1:${port}`, httpVersion: '1.1' });
  const error = await createClient(TagService, transport)
    .create({})
    .catch((cause: unknown) => ConnectError.from(cause));
  if (!(error instanceof ConnectError)) throw new Error('expected the call to be rejected');
  expect(error.details.map(Object.keys)).toEqual([['type', 'value']]);
  expect(failureOf(error).message).toEqual({ key: 'core:error.silent' });
});

test.each(['', '  ', '{}', '{"message": 3}'])('finds no message in %j', (text) => {
  expect(failureOf(responseError(Code.NotFound, text)).message).toEqual({ key: 'core:error.silent' });
});

test('reports a truncated response as a closed connection', () => {
  expect(failureOf(responseError(Code.Unknown, 'missing trailer'))).toMatchObject({
    message: { key: 'core:error.closed' },
    retryable: true,
  });
});

test('treats only our own aborts as canceled', () => {
  const ownErrors = [
    new DOMException('aborted', 'AbortError'),
    new ConnectError('This operation was aborted', Code.Canceled),
  ];
  for (const error of ownErrors) {
    expect(failureOf(error)).toMatchObject({ message: { key: 'core:error.canceled' }, retryable: true });
    expect(isReportable(error)).toBe(false);
  }
  expect(isAbort(responseError(Code.Canceled, 'shutting down'))).toBe(false);
  expect(isAbort(new ConnectError('unavailable', Code.Unavailable))).toBe(false);
});

test('reports the cause of a change that was only partly made, and the item that it created', () => {
  const createdItem = { id: '7', label: 'Pump' };
  const cause = responseError(Code.InvalidArgument, 'x');
  const error = new PartlyDoneError(cause, createdItem);
  expect(error).toMatchObject({
    name: 'PartlyDoneError',
    message: 'Only part of the change was made.',
    cause,
    createdItem,
  });
  const failure = failureOf(error);
  expect(failure).toStrictEqual({ ...failureOf(cause), partly: true, createdItem });
  expect(failureOf(new PartlyDoneError(cause))).toStrictEqual({ ...failureOf(cause), partly: true });
  const explained = new PartlyDoneError(cause, undefined, message('core:error.canceled'));
  expect(failureOf(explained)).toStrictEqual({
    ...failureOf(explained.cause),
    partly: true,
    message: message('core:error.canceled'),
  });
  // The server rejected the second call, so the first call keeps its effect.
  expect(isRejection(failureOf(cause))).toBe(true);
  expect(isRejection(failure)).toBe(false);
  expect(isRejection({ ...failure, unsent: true })).toBe(true);
});

test('treats an empty message from the server as no message', () => {
  expect(failureOf(responseError(Code.InvalidArgument, ' ')).message).toEqual({ key: 'core:error.silent' });
});
