import { describe, expect, test } from 'vitest';

import { parseSearch, stringifySearch, validateSearch } from './address.ts';

describe('the query of a URL', () => {
  const search = {
    organization: 'northwind',
    filter: 'health:ERROR tag:"North field" sort:-inactivity',
    panel: ['device/24F0 91C7', 'webhook/12'],
    full: 'true',
    tab: 'messages',
    chart: ['pressure', 'tubing.temperature'],
    range: '-7d..now',
    zoom: '2026-11-20T10:00:00.000Z..2026-11-20T12:00:00.000Z',
  };

  test('round-trips the search parameters', () => {
    expect(validateSearch(parseSearch(stringifySearch(search)))).toEqual(search);
  });

  test('fills the screen only with an item', () => {
    expect(validateSearch(parseSearch('?full=true'))).toEqual({ full: undefined });
    expect(validateSearch(parseSearch('?panel[0]=device/1&full=yes')).full).toBeUndefined();
  });

  test('writes lists with indexes', () => {
    expect(stringifySearch({ panel: ['device/1', 'tag/2'] })).toBe('?panel[0]=device/1&panel[1]=tag/2');
  });

  test('escapes special characters in values', () => {
    const tricky = { filter: 'a&b=c+d #e %20' };
    expect(parseSearch(stringifySearch(tricky))).toEqual(tricky);
  });

  test('drops unknown and malformed parameters', () => {
    expect(validateSearch(parseSearch('?filter[a]=1&panel=x&panel[0]=nope&other=1&tab=events'))).toEqual({
      tab: 'events',
    });
  });

  test('overrides malformed parameters with undefined', () => {
    const parsed = parseSearch('?panel=x&filter=1&filter=2');
    expect({ ...parsed, ...validateSearch(parsed) }).toMatchObject({ panel: undefined, filter: undefined });
    expect(Object.keys(validateSearch(parsed))).toEqual(['filter', 'panel']);
  });

  test('orders a list by its indexes and limits it', () => {
    expect(parseSearch('?panel[1]=b&panel[0]=a&panel[20]=c')).toEqual({ panel: ['a', 'b'] });
    expect(parseSearch('?panel[]=a')).toEqual({ panel: ['a'] });
    const many = Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join('&');
    expect(Object.keys(parseSearch(many))).toHaveLength(1000);
  });

  test('ignores invalid parameter names and keeps broken escapes', () => {
    expect(parseSearch('?=1&[0]=2&a.b=3&%&tab=%E0%A4%A')).toEqual({ tab: '\ufffd%A' });
    expect(Object.getPrototypeOf(parseSearch('?__proto__[0]=1'))).toBe(Object.prototype);
  });

  test('is empty if there are no parameters', () => {
    expect([parseSearch(''), stringifySearch({}), stringifySearch({ tab: undefined })]).toEqual([{}, '', '']);
  });

  test('ignores deeply nested parameters', () => {
    const deep = `?panel${'[a]'.repeat(50)}=1`;
    expect(validateSearch(parseSearch(deep))).toEqual({});
  });
});
