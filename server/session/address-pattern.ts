import { RE2JS, RE2JSException } from 're2js';

/** The pattern cannot be used; the message is the sentence to show to whoever wrote it. */
export class InvalidAddressPattern extends Error {
  override name = 'InvalidAddressPattern';
}

const MAX_CHARACTERS = 200;
/** Instructions of the compiled pattern; a match visits each at most once per character of the address. */
const MAX_INSTRUCTIONS = 2000;
/** Compiled patterns kept; an organization has one, and few of them are in use at a time. */
const MAX_KEPT = 500;
const kept = new Map<string, RE2JS>();

/**
 * Verdicts kept, of all patterns together: a match takes up to tens of milliseconds, and every call of a member asks.
 */
const MAX_VERDICTS = 10_000;
const verdicts = new Map<string, boolean>();

/**
 * An administrator writes the pattern and every call of a member is held against it, so it must not be able to stall
 * the server: RE2 matches in linear time and knows no look-around and no back-references, and its length and size are
 * bound.
 *
 * @throws InvalidAddressPattern
 */
export function checkAddressPattern(pattern: string): void {
  if (pattern.length > MAX_CHARACTERS) {
    throw new InvalidAddressPattern(
      `A pattern for addresses may be ${MAX_CHARACTERS} characters long, and this one has ${pattern.length}.`,
    );
  }
  compile(pattern);
}

/**
 * Whether an address follows a pattern: as a whole, as otherwise `[a-z]+@northwind\.example` would let
 * `x@northwind.example.elsewhere.com` in, and whatever the case (neither is stated).
 */
export function followsPattern(pattern: string, email: string): boolean {
  // No address has a line break.
  const key = `${pattern}\n${email}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const verdict = compile(pattern).testExact(email);
  if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
  verdicts.set(key, verdict);
  return verdict;
}

function compile(pattern: string): RE2JS {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  const compiled = parse(pattern);
  if (compiled.programSize() > MAX_INSTRUCTIONS) {
    throw new InvalidAddressPattern('The pattern repeats too much: make its repetitions smaller.');
  }
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}

function parse(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new InvalidAddressPattern(
      `"${pattern}" is not a pattern that can be used (${error.message}). Write for example .*@northwind\\.example`,
      { cause: error },
    );
  }
}
