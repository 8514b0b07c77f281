import { describe, expect, it } from 'vitest';

import { parseSearch, stringifySearch, validateSearch } from './address.ts';

describe('the query of a URL', () => {
  const search = {
    organization: 'northwind',
    filter: 'health:ERROR tag:"North field" sort:-inactivity',
    panel: ['device/24F0 91C7', 'webhook/12'],
    tab: 'messages',
  };

  it('round-trips the search parameters', () => {
    expect(validateSearch(parseSearch(stringifySearch(search)))).toEqual(search);
  });

  it('writes lists with indexes', () => {
    expect(stringifySearch({ panel: ['device/1', 'tag/2'] })).toBe('?panel[0]=device/1&panel[1]=tag/2');
  });

  it('escapes special characters in values', () => {
    const tricky = { filter: 'a&b=c+d #e %20' };
    expect(parseSearch(stringifySearch(tricky))).toEqual(tricky);
  });

  it('drops unknown and malformed parameters', () => {
    expect(validateSearch(parseSearch('?filter[a]=1&panel=x&panel[0]=nope&other=1&tab=events'))).toEqual({
      tab: 'events',
    });
  });

  it('overrides malformed parameters with undefined', () => {
    const typed = parseSearch('?panel=x&filter[a]=1');
    expect({ ...typed, ...validateSearch(typed) }).toMatchObject({ panel: undefined, filter: undefined });
    expect(Object.keys(validateSearch(typed))).toEqual(['filter', 'panel']);
  });

  it('ignores deeply nested parameters', () => {
    const deep = `?panel${'[a]'.repeat(50)}=1`;
    expect(validateSearch(parseSearch(deep))).toEqual({});
  });
});
