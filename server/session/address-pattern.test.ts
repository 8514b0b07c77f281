import { describe, expect, test } from 'vitest';

import { checkAddressPattern, matchesPattern, InvalidAddressPatternError } from './address-pattern.ts';

describe('an address pattern', () => {
  test('must match the whole address, ignoring case', () => {
    const pattern = String.raw`[a-z]+@northwind\.example`;
    expect(matchesPattern(pattern, 'Anna@Northwind.example')).toBe(true);
    expect(matchesPattern(pattern, 'anna@northwind.example.elsewhere.com')).toBe(false);
    expect(matchesPattern(pattern, 'x.anna@northwind.example')).toBe(false);
  });

  test("can't stall the server, because large repetitions are rejected", () => {
    expect(matchesPattern('(a+)+b', 'a'.repeat(254))).toBe(false);
    for (const pattern of [
      '(a{1000}){1000}',
      '(.?){900}'.repeat(5),
      String.raw`(a)\1`,
      '(?=a)',
      '[',
      'a'.repeat(201),
    ]) {
      expect(() => checkAddressPattern(pattern), pattern).toThrow(InvalidAddressPatternError);
    }
    expect(() => checkAddressPattern(String.raw`.*@northwind\.example`)).not.toThrow();
  });

  test('has at most 200 characters, and errors explain what is wrong', () => {
    expect(() => checkAddressPattern('a'.repeat(200))).not.toThrow();
    expect(() => checkAddressPattern('a'.repeat(201))).toThrow('can have at most 200 characters, not 201');
    expect(() => checkAddressPattern('[')).toThrow('"[" isn\'t a valid pattern');
    expect(() => checkAddressPattern('a{900}')).not.toThrow();
    expect(() => checkAddressPattern('a{900}b{900}c{900}')).toThrow('repeats too much');
  });

  test('is never confused with another cached pattern', () => {
    for (let turn = 0; turn < 1200; turn += 1) {
      expect(matchesPattern(`a${turn}`, `a${turn}`)).toBe(true);
      expect(matchesPattern(`a${turn}`, `a${turn + 1}`)).toBe(false);
    }
    expect(matchesPattern('a0', 'a0')).toBe(true);
  });
});
