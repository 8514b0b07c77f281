import { Code, ConnectError } from '@connectrpc/connect';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type * as Report from './report.ts';

const OOB = 'oob-9f2c';
const JWT = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm5hIn0.sig';

let requestBodies: string[];
let report: typeof Report;

beforeEach(async () => {
  requestBodies = [];
  vi.resetModules();
  vi.stubGlobal('fetch', async (_: unknown, init: { body: string | Uint8Array }) => {
    requestBodies.push(typeof init.body === 'string' ? init.body : new TextDecoder().decode(init.body));
    return new Response('{}');
  });
  report = await import('./report.ts');
});
afterEach(async () => {
  await (await import('@sentry/react')).close();
  vi.unstubAllGlobals();
});

const flush = async () => (await import('@sentry/react')).flush(2000);

test('removes secrets from the URL, breadcrumbs, and text of an error', async () => {
  window.history.replaceState(null, '', `/login/reset-password?oobCode=${OOB}&redirect=/devices`);
  await report.startReporting('https://key@errors.example/1', 'quarterdeck@1');
  const { addBreadcrumb } = await import('@sentry/react');
  addBreadcrumb({
    category: 'fetch',
    data: { url: `/v1/accounts?oobCode=${OOB}`, body: `{"password":"${OOB}"}`, authorization: `Bearer ${JWT}` },
    message: `called /login?oobCode=${OOB}`,
  });
  report.report(new Error(`https://console.example/login?mode=x&oobCode=${OOB} was refused for bearer ${JWT}`));
  await flush();
  expect(requestBodies.join()).toContain('https://console.example/login was refused for bearer [removed]');
  expect(requestBodies.join()).not.toContain(OOB);
  expect(requestBodies.join()).not.toContain(JWT);
});

test('ignores expected errors', async () => {
  await report.startReporting('https://key@errors.example/1', 'quarterdeck@1');
  const errorWith = (code: string) => Object.assign(new Error(code), { code });
  report.report(errorWith('auth/network-request-failed'));
  report.report(errorWith('auth/too-many-requests'));
  for (const code of [
    Code.Canceled,
    Code.Unavailable,
    Code.PermissionDenied,
    Code.Unauthenticated,
    Code.InvalidArgument,
  ])
    report.report(new ConnectError('no defect', code));
  report.report(errorWith('auth/internal-error'));
  await flush();
  expect(requestBodies.join()).not.toMatch(/no defect|network-request-failed|too-many-requests/);
  expect(requestBodies.join()).toContain('auth/internal-error');
});
