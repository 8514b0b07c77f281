import { Code, ConnectError } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { failureOf, isAbort, isReportable } from './errors.ts';

/** An error as it comes with an answer of a server. */
const answered = (code: Code, text: string): ConnectError =>
  new ConnectError(text, code, { 'content-type': 'application/grpc-web+proto' });

const connection = { key: 'core:error.connection' };
const said = (text: string) => ({ key: 'core:error.said', values: { text } });

test.each([
  Code.Canceled,
  Code.Unknown,
  Code.Aborted,
  Code.Unimplemented,
  Code.Internal,
  Code.Unavailable,
  Code.DataLoss,
])('status %i is trouble of the connection, whatever it says', (code) => {
  expect(failureOf(answered(code, 'socket hang up')).message).toEqual(connection);
});

test.each([
  ['There is no such tag.', 'There is no such tag.'],
  ['{"message": "There is no such tag."}', 'There is no such tag.'],
  ['{not JSON}', '{not JSON}'],
  ['x'.repeat(1200), 'x'.repeat(1000)],
])('%s is said as %s', (text, sentence) => {
  expect(failureOf(answered(Code.InvalidArgument, text)).message).toEqual(said(sentence));
});

test('a detail is read where the status has no text', () => {
  const error = answered(Code.FailedPrecondition, '{"code": 9}');
  error.details.push({ type: 'x', value: new Uint8Array(), debug: { message: 'The tag is in use.' } });
  expect(failureOf(error).message).toEqual(said('The tag is in use.'));
});

test.each(['', '  ', '{}', '{"message": 3}'])('%j has no message', (text) => {
  expect(failureOf(answered(Code.NotFound, text)).message).toEqual({ key: 'core:error.silent' });
});

test('an answer that ends too early is named', () => {
  expect(failureOf(answered(Code.Unknown, 'missing trailer')).message).toEqual({ key: 'core:error.closed' });
});

test('only what we ended ourselves is cancelled', () => {
  const ours = [new DOMException('gone', 'AbortError'), new ConnectError('This operation was aborted', Code.Canceled)];
  for (const error of ours) {
    expect(failureOf(error).message).toEqual({ key: 'core:error.cancelled' });
    expect(isReportable(error)).toBe(false);
  }
  expect(isAbort(answered(Code.Canceled, 'shutting down'))).toBe(false);
});
