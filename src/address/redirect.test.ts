import { describe, expect, test } from 'vitest';

import { parseDestination, safeRedirect } from './redirect.ts';

describe('the destination that is kept during sign-in', () => {
  test('keeps the requested path and its organization', () => {
    expect(safeRedirect('/settings/tags?filter=a', undefined)).toBe('/settings/tags?filter=a');
    expect(safeRedirect('/devices?filter=health:ERROR', 'northwind')).toBe(
      '/devices?filter=health:ERROR&organization=northwind',
    );
    expect(safeRedirect('/devices?organization=northwind', undefined)).toBe('/devices?organization=northwind');
    expect(safeRedirect('/login/support', undefined)).toBe('/login/support');
    expect(safeRedirect('/organization/join', undefined)).toBe('/organization/join');
  });

  test('defaults to the root', () => {
    expect(safeRedirect(undefined, undefined)).toBe('/');
    expect(safeRedirect('', 'north wind')).toBe('/?organization=north+wind');
  });

  test('keeps escapes in the path and drops unknown parameters', () => {
    expect(parseDestination('/developer-tools/tokens/two%20words/update?evil=1&tab=history')).toEqual({
      path: '/developer-tools/tokens/two%20words/update',
      search: { tab: 'history' },
      text: '/developer-tools/tokens/two%20words/update?tab=history',
    });
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/%2Fevil.example',
    '/%2f%2fevil.example',
    '/%5Cevil.example',
    '/%252F%252Fevil.example',
    '/devices/%09x',
    'https:evil.example',
    'http://[',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://evil.example/1',
    '/%E0%A4%A',
    'http://localhost@evil.example/',
  ])('rejects %s', (to) => {
    expect(safeRedirect(to, undefined)).toBe('/');
  });

  test.each([
    '/login',
    '/login/',
    '/LOGIN',
    '/login/token?redirect=/login',
    '/login/mfa',
    '/%6Cogin',
    '/x/../login',
    '/error',
  ])('avoids a redirect loop: %s', (to) => {
    expect(safeRedirect(to, undefined)).toBe('/');
  });

  test('drops a nested redirect', () => {
    expect(safeRedirect('/devices?redirect=//evil.example', undefined)).toBe('/devices');
  });
});
