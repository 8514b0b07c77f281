import { describe, expect, test } from 'vitest';

import { readLine } from './line-row.ts';
import { context, createListing, createTools, tool } from './testkit/listing.ts';

describe('a pasted address', () => {
  const link = { current: () => 'https://console.example.com/gadgets' } as never;
  const listing = createListing({ context: { ...context, host: { link } } });
  const read = (address: string, target = listing) => readLine(address, target).rows[0];

  test('can be opened if it belongs to this console', () => {
    expect(read(' https://console.example.com/gadgets/5?tab=1 ')).toEqual({
      id: 'address',
      label: 'palette.address /gadgets/5?tab=1',
      invocation: { id: 'app.go', args: { address: '/gadgets/5?tab=1' } },
    });
    for (const path of ['/gadgets', '/machines', '/machines/5', '/', '']) {
      expect(read(`https://console.example.com${path}`)).not.toHaveProperty('reason');
    }
  });

  test('can be the address of any screen', () => {
    const registry = createTools();
    const widget = { ...tool, name: 'widget', screen: { path: '/widgets' } } as typeof tool;
    const two = createListing({ registry: { ...registry, entities: [...registry.entities, widget] } });
    for (const path of ['/gadgets', '/widgets']) {
      expect(read(`https://console.example.com${path}`, two)).not.toHaveProperty('reason');
    }
    expect(read('https://console.example.com/x', two)).toHaveProperty('reason');
  });

  test("explains why it can't be opened if it matches no screen or belongs to another console", () => {
    expect(read('https://console.example.com/gadgetsx')?.reason).toBe('palette.noScreen /gadgetsx');
    expect(read('http://other.example.com/gadgets')?.reason).toBe('palette.otherConsole other.example.com');
    expect(read('https://other.example.com/gadgets', createListing())).not.toHaveProperty('reason');
  });

  test('shows the command that it contains, even if it belongs to another console', () => {
    const { rows, invocation } = readLine('https://x.example.com/gadgets?run=gadget%20mark%20AAAABBBB%20OK', listing);
    expect(rows).toMatchObject([{ label: "gadget mark 'AAAA BBBB' OK", isLine: true }]);
    expect(invocation?.id).toBe('gadget.mark');
  });

  test.each(['https://', 'https://a b', 'see https://console.example.com/gadgets', 'https://exa[mple'])(
    'is not recognized if it is malformed or part of other text: %s',
    (text) => {
      expect(readLine(text, listing).rows).toEqual([]);
    },
  );
});

describe('a typed line', () => {
  const read = (line: string) => readLine(line, createListing());

  test('runs as it is if it is complete', () => {
    expect(read('gadget mark AAAABBBB OK')).toEqual({
      rows: [
        {
          id: 'line',
          label: "gadget mark 'AAAA BBBB' OK",
          invocation: { id: 'gadget.mark', args: { gadgets: { ids: ['AAAA BBBB'] }, state: 'OK' } },
          isLine: true,
        },
      ],
      sources: [],
      invocation: { id: 'gadget.mark', args: { gadgets: { ids: ['AAAA BBBB'] }, state: 'OK' } },
    });
    expect(read('quarterdeck gadget beep').invocation).toEqual({ id: 'gadget.beep', args: {} });
    expect(read('gadget tint --near RED').invocation).toEqual({ id: 'gadget.tint', args: { near: 'RED' } });
    const link = readLine('https://x.example.com/?run=gadget%20beep', createListing());
    expect(link.invocation?.id).toBe('gadget.beep');
    expect(readLine('mailto:pump', createListing()).rows).toEqual([]);
  });

  test('is a search if it has no arguments or names no command', () => {
    for (const line of ['gadget mark', 'gadget beep', 'pump', 'north pump 7', '']) {
      expect([line, read(line)]).toEqual([line, { rows: [], sources: [] }]);
    }
  });

  test('shows its problem if it can only be a line', () => {
    expect(read('gadget mark --foo').rows).toMatchObject([
      { id: 'line', label: 'gadget mark --foo', reason: expect.stringContaining('--foo'), isLine: true },
    ]);
    expect(read('gadget mark\t--state').rows[0]?.reason).toContain('--state');
    expect(read('gadget mark AAAABBBB PURPLE').rows[0]?.reason).toContain('PURPLE');
    expect(read('gadget mrak AAAABBBB').rows).toMatchObject([
      { label: 'gadget mrak AAAABBBB', reason: expect.stringContaining('gadget mark'), isLine: true },
    ]);
    const unknown = read('quarterdeck gadget fly');
    expect(unknown.rows).toMatchObject([{ label: 'gadget fly', isLine: true }]);
    expect(unknown.rows[0]?.reason).not.toBe('');
    expect(unknown).not.toHaveProperty('invocation');
  });
});
