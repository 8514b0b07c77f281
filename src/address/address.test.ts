import { describe, expect, it } from 'vitest';

import { parseSearch, stringifySearch, validateSearch } from './address.ts';

describe('the address', () => {
  const search = {
    organization: 'northwind',
    filter: 'health:ERROR tag:"North field" sort:-inactivity',
    panel: ['device/24F0 91C7', 'webhook/12'],
    tab: 'messages',
  };

  it('keeps the screen through a round trip', () => {
    expect(validateSearch(parseSearch(stringifySearch(search)))).toEqual(search);
  });

  it('writes lists with their index', () => {
    expect(stringifySearch({ panel: ['device/1', 'tag/2'] })).toBe('?panel[0]=device/1&panel[1]=tag/2');
  });

  it('keeps signs that mean something in a query inside their value', () => {
    const tricky = { filter: 'a&b=c+d #e %20' };
    expect(parseSearch(stringifySearch(tricky))).toEqual(tricky);
  });

  it('drops what is not ours or has the wrong shape', () => {
    expect(validateSearch(parseSearch('?filter[a]=1&panel=x&panel[0]=nope&other=1&tab=events'))).toEqual({
      tab: 'events',
    });
  });
  it('puts something in place of what was typed wrong, which the router would keep otherwise', () => {
    const typed = parseSearch('?panel=x&filter[a]=1');
    expect({ ...typed, ...validateSearch(typed) }).toMatchObject({ panel: undefined, filter: undefined });
    expect(Object.keys(validateSearch(typed))).toEqual(['filter', 'panel']);
  });

  it('reads no more of a hostile address than the limits allow', () => {
    const deep = `?panel${'[a]'.repeat(50)}=1`;
    expect(validateSearch(parseSearch(deep))).toEqual({});
  });
});
