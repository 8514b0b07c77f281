import { RE2JS, RE2JSException } from 're2js';

/** Thrown for an unusable pattern; the message is meant for the user who wrote it. */
export class InvalidAddressPatternError extends Error {
  override name = 'InvalidAddressPatternError';
}

const MAX_CHARACTERS = 200;
/**
 * The maximum number of instructions in a compiled pattern. A match visits each instruction at most once per character
 * of the address.
 */
const MAX_INSTRUCTIONS = 2000;
/** The maximum number of cached patterns. Each organization has at most one, and few are in use at a time. */
const MAX_CACHED_PATTERNS = 500;
const compiledPatterns = new Map<string, RE2JS>();

/**
 * The maximum number of cached results, for all patterns together. A match can take tens of milliseconds, and every
 * call by a member needs one.
 */
const MAX_MATCHES = 10_000;
const matches = new Map<string, boolean>();

/**
 * Checks a pattern. An administrator writes it, and every call by a member is matched against it, so it mustn't stall
 * the server. RE2 has no look-around or back-references, so it matches in linear time. The pattern's length and
 * compiled size are limited.
 *
 * @throws InvalidAddressPatternError
 */
export function checkAddressPattern(pattern: string): void {
  if (pattern.length > MAX_CHARACTERS) {
    throw new InvalidAddressPatternError(
      `An address pattern can have at most ${MAX_CHARACTERS} characters, not ${pattern.length}.`,
    );
  }
  compile(pattern);
}

/**
 * True if the whole address matches a pattern, ignoring case. The contract specifies neither. If matching a part were
 * enough, `x@northwind.example.elsewhere.com` would pass `[a-z]+@northwind\.example`.
 */
export function matchesPattern(pattern: string, email: string): boolean {
  // Addresses contain no line break, so the key is unambiguous.
  const key = `${pattern}\n${email}`;
  const cached = matches.get(key);
  if (cached !== undefined) return cached;
  const isMatch = compile(pattern).testExact(email);
  if (matches.size >= MAX_MATCHES) matches.clear();
  matches.set(key, isMatch);
  return isMatch;
}

function compile(pattern: string): RE2JS {
  const cached = compiledPatterns.get(pattern);
  if (cached !== undefined) return cached;
  const compiled = parse(pattern);
  if (compiled.programSize() > MAX_INSTRUCTIONS) {
    throw new InvalidAddressPatternError('The pattern repeats too much. Reduce its repetitions.');
  }
  if (compiledPatterns.size >= MAX_CACHED_PATTERNS) compiledPatterns.clear();
  compiledPatterns.set(pattern, compiled);
  return compiled;
}

function parse(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new InvalidAddressPatternError(
      `"${pattern}" isn't a valid pattern (${error.message}). Use a format like .*@northwind\\.example`,
      { cause: error },
    );
  }
}
