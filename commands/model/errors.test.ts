import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import {
  CommandError,
  failureOf,
  isAbort,
  isRefusal,
  isReportable,
  isUnauthenticated,
  isUnimplemented,
  NothingInCommon,
  UnknownValue,
} from './errors.ts';
import { message } from '#commands/text/message.ts';

/** An error as it comes with an answer of a server. */
const answered = (code: Code, text: string): ConnectError =>
  new ConnectError(text, code, { 'content-type': 'application/grpc-web+proto' });

const connection = { key: 'core:error.connection' };
const answer = (text: string) => ({ key: 'core:error.server', values: { text } });

/**
 * Of each status: its name, what is said (spec 8), whether it may be tried again, is reported, and certainly changed
 * nothing.
 */
test.each([
  [Code.Canceled, 'canceled', connection, true, false, false],
  [Code.Unknown, 'unknown', connection, true, true, false],
  [Code.InvalidArgument, 'invalid_argument', answer('x'), false, false, true],
  [Code.DeadlineExceeded, 'deadline_exceeded', answer('x'), true, true, false],
  [Code.NotFound, 'not_found', answer('x'), false, true, true],
  [Code.AlreadyExists, 'already_exists', answer('x'), false, true, true],
  [Code.PermissionDenied, 'permission_denied', answer('x'), false, false, true],
  [Code.ResourceExhausted, 'resource_exhausted', answer('x'), true, true, false],
  [Code.FailedPrecondition, 'failed_precondition', answer('x'), false, true, true],
  [Code.Aborted, 'aborted', connection, true, true, false],
  [Code.OutOfRange, 'out_of_range', answer('x'), false, true, true],
  [Code.Unimplemented, 'unimplemented', connection, true, true, false],
  [Code.Internal, 'internal', connection, true, true, false],
  [Code.Unavailable, 'unavailable', connection, true, false, false],
  [Code.DataLoss, 'data_loss', connection, true, true, false],
  [Code.Unauthenticated, 'unauthenticated', answer('x'), false, false, false],
])('status %i is %s', (status, code, sentence, retryable, reported, refused) => {
  const error = answered(status, 'x');
  const failure = failureOf(error);
  expect(failure).toEqual({ code, message: sentence, retryable });
  expect([isReportable(error), isRefusal(failure)]).toEqual([reported, refused]);
  expect([isUnauthenticated(error), isUnimplemented(error)]).toEqual([
    status === Code.Unauthenticated,
    status === Code.Unimplemented,
  ]);
});

test('a refusal of our own carries its sentence and where it belongs, and is no defect', () => {
  const error = new CommandError(message('core:missing'), 'tag');
  expect(failureOf(error)).toEqual({ code: 'command', message: { key: 'core:missing' }, retryable: false });
  expect([isRefusal(failureOf(error)), isReportable(error)]).toEqual([true, false]);
  expect(error).toMatchObject({ name: 'CommandError', message: 'core:missing', param: 'tag' });
  expect(error.in('devices').param).toBe('tag');
  expect(new CommandError(message('core:missing')).in('devices').param).toBe('devices');
  expect(new UnknownValue(message('core:missing'), 'eror', ['ERROR'])).toMatchObject({
    userMessage: { key: 'core:missing' },
    value: 'eror',
    near: ['ERROR'],
  });
  expect(new NothingInCommon('health')).toMatchObject({
    userMessage: { key: 'common:filter.nothing', values: { key: 'health' } },
    key: 'health',
  });
});

test('an error of the program itself is reported', () => {
  const error = new TypeError('x is not a function');
  expect(isReportable(error)).toBe(true);
  expect([isAbort(error), isUnauthenticated(error), isUnimplemented(error)]).toEqual([false, false, false]);
  expect([isAbort(undefined), isAbort({ name: 'AbortError' })]).toEqual([false, false]);
});

test('an error from elsewhere may have the number of a status, and is none', () => {
  const numbered = (code: Code) => Object.assign(new Error('x'), { code });
  expect(isAbort(numbered(Code.Canceled))).toBe(false);
  expect(isUnauthenticated(numbered(Code.Unauthenticated))).toBe(false);
  expect(isUnimplemented(numbered(Code.Unimplemented))).toBe(false);
  expect(isReportable(numbered(Code.Unavailable))).toBe(true);
});

test.each([
  ['There is no such tag.', 'There is no such tag.'],
  ['{"message": "There is no such tag."}', 'There is no such tag.'],
  ['{"message": " There is no such tag. "}', 'There is no such tag.'],
  ['{not JSON}', '{not JSON}'],
  ['"There is no such tag."', '"There is no such tag."'],
  ['x'.repeat(1200), 'x'.repeat(1000)],
])('%s is said as %s', (text, sentence) => {
  expect(failureOf(answered(Code.InvalidArgument, text)).message).toEqual(answer(sentence));
});

test('a detail is read where the status has no text', () => {
  const error = answered(Code.FailedPrecondition, '{"code": 9}');
  error.details.push({ type: 'x', value: new Uint8Array(), debug: { message: 'The tag is in use.' } });
  expect(failureOf(error).message).toEqual(answer('The tag is in use.'));
});

test('a detail that is text is a sentence, and one that cannot be read is none', () => {
  const error = answered(Code.FailedPrecondition, '');
  error.details.push({ type: 'x', value: new Uint8Array() });
  error.details.push({ type: 'x', value: new Uint8Array(), debug: undefined });
  expect(failureOf(error).message).toEqual({ key: 'core:error.silent' });
  error.details.push({ type: 'x', value: new Uint8Array(), debug: 'The tag is in use.' });
  expect(failureOf(error).message).toEqual(answer('The tag is in use.'));
});

test.each(['', '  ', '{}', '{"message": 3}'])('%j has no message', (text) => {
  expect(failureOf(answered(Code.NotFound, text)).message).toEqual({ key: 'core:error.silent' });
});

test('an answer that ends too early is named', () => {
  expect(failureOf(answered(Code.Unknown, 'missing trailer'))).toMatchObject({
    message: { key: 'core:error.closed' },
    retryable: true,
  });
});

test('only what we ended ourselves is cancelled', () => {
  const ours = [new DOMException('gone', 'AbortError'), new ConnectError('This operation was aborted', Code.Canceled)];
  for (const error of ours) {
    expect(failureOf(error)).toMatchObject({ message: { key: 'core:error.cancelled' }, retryable: true });
    expect(isReportable(error)).toBe(false);
  }
  expect(isAbort(answered(Code.Canceled, 'shutting down'))).toBe(false);
  expect(isAbort(new ConnectError('gone', Code.Unavailable))).toBe(false);
});
