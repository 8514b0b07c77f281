/** A byte order mark, with the encoding that it announces. */
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Control characters that text doesn't have, but a picture or a spreadsheet file does. */
const BINARY = /[^\P{Cc}\s\u0080-\u009f]/u;

/** The characters 0x80 to 0x9f of Windows-1252. Node decodes them as Latin-1. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes the bytes of a text file. Without a byte order mark, it is UTF-8 or, if it isn't valid UTF-8, the encoding in
 * which older Windows programs save text in Western languages. Returns undefined for a file that isn't text.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  const text = marked ? decodeAs(marked[0], bytes) : (decodeAs('utf-8', bytes) ?? decodeWindows(bytes));
  return text === undefined || BINARY.test(text) ? undefined : text;
}

function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const decodeWindows = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte >= 0x80 && byte < 0xa0 ? WINDOWS[byte - 0x80] : String.fromCharCode(byte))).join(
    '',
  );
