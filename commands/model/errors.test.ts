import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { message } from '#commands/text/message.ts';

import {
  CommandError,
  failureOf,
  isAbort,
  isRefusal,
  isReportable,
  isUnauthenticated,
  isUnimplemented,
  NothingInCommonError,
  UnknownValueError,
} from './errors.ts';

/** An error as it arrives in a server's response. */
const responseError = (code: Code, text: string): ConnectError =>
  new ConnectError(text, code, { 'content-type': 'application/grpc-web+proto' });

const connection = { key: 'core:error.connection' };
const serverMessage = (text: string) => ({ key: 'core:error.server', values: { text } });

/**
 * For each status: its name, the message shown (spec 8), whether it is retryable, whether it is reported, and whether
 * it certainly changed nothing.
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
])('status %i is %s', (status, code, sentence, retryable, reported, refused) => {
  const error = responseError(status, 'x');
  const failure = failureOf(error);
  expect(failure).toEqual({ code, message: sentence, retryable });
  expect([isReportable(error), isRefusal(failure)]).toEqual([reported, refused]);
  expect([isUnauthenticated(error), isUnimplemented(error)]).toEqual([
    status === Code.Unauthenticated,
    status === Code.Unimplemented,
  ]);
});

test('keeps the message and parameter of a command error and does not report it', () => {
  const error = new CommandError(message('core:missing'), 'tag');
  expect(failureOf(error)).toEqual({ code: 'command', message: { key: 'core:missing' }, retryable: false });
  expect([isRefusal(failureOf(error)), isReportable(error)]).toEqual([true, false]);
  expect(error).toMatchObject({ name: 'CommandError', message: 'core:missing', param: 'tag' });
  expect(error.forParam('devices').param).toBe('tag');
  expect(new CommandError(message('core:missing')).forParam('devices').param).toBe('devices');
  expect(new UnknownValueError(message('core:missing'), 'eror', ['ERROR'])).toMatchObject({
    userMessage: { key: 'core:missing' },
    value: 'eror',
    near: ['ERROR'],
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

test('does not mistake the numeric code of a foreign error for a status', () => {
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
  ['"There is no such tag."', '"There is no such tag."'],
  ['x'.repeat(1200), 'x'.repeat(1000)],
])('reads %s as the message %s', (text, sentence) => {
  expect(failureOf(responseError(Code.InvalidArgument, text)).message).toEqual(serverMessage(sentence));
});

test('reads the message from a detail if the status has none', () => {
  const error = responseError(Code.FailedPrecondition, '{"code": 9}');
  error.details.push({ type: 'x', value: new Uint8Array(), debug: { message: 'The tag is in use.' } });
  expect(failureOf(error).message).toEqual(serverMessage('The tag is in use.'));
});

test('reads a message from a text detail and skips an undecodable one', () => {
  const error = responseError(Code.FailedPrecondition, '');
  error.details.push({ type: 'x', value: new Uint8Array() });
  error.details.push({ type: 'x', value: new Uint8Array(), debug: undefined });
  expect(failureOf(error).message).toEqual({ key: 'core:error.silent' });
  error.details.push({ type: 'x', value: new Uint8Array(), debug: 'The tag is in use.' });
  expect(failureOf(error).message).toEqual(serverMessage('The tag is in use.'));
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
  const ours = [new DOMException('gone', 'AbortError'), new ConnectError('This operation was aborted', Code.Canceled)];
  for (const error of ours) {
    expect(failureOf(error)).toMatchObject({ message: { key: 'core:error.canceled' }, retryable: true });
    expect(isReportable(error)).toBe(false);
  }
  expect(isAbort(responseError(Code.Canceled, 'shutting down'))).toBe(false);
  expect(isAbort(new ConnectError('gone', Code.Unavailable))).toBe(false);
});
