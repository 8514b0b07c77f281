// @ts-check
/** Text encodings. The sandbox decodes Unicode itself; for other encodings, it needs a table of 256 characters. */

const UNICODE = ['ASCII', 'UTF-8', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'];

const ISO_PARTS = [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16];
const WINDOWS_PAGES = [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258];
const SINGLE_BYTE = [
  'ISO-8859-1',
  ...ISO_PARTS.map((part) => `ISO-8859-${part}`),
  ...WINDOWS_PAGES.map((page) => `windows-${page}`),
  'IBM866',
  'KOI8-R',
  'KOI8-U',
];

/** @param {string} encoding */
export const isSupportedEncoding = (encoding) => nameOf(encoding) !== undefined;

export const SUPPORTED_ENCODINGS = `${UNICODE.join(', ')}, ISO-8859-1 to -16, windows-1250 to -1258, IBM866, KOI8-R, or KOI8-U`;

/** @param {string} encoding */
function nameOf(encoding) {
  const upper = encoding.toUpperCase();
  return [...UNICODE, ...SINGLE_BYTE].find((name) => name.toUpperCase() === upper);
}

/**
 * Returns the tables of the encodings that need one, by their names in lowercase.
 *
 * @param {readonly string[]} encodings
 * @returns {Record<string, string>}
 */
export function decodingTables(encodings) {
  const names = encodings.flatMap((encoding) => nameOf(encoding) ?? []).filter((name) => SINGLE_BYTE.includes(name));
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), tableOf(name)]));
}

const LATIN = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('');
const WINDOWS_1252_CONTROLS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** @param {string} name */
function tableOf(name) {
  // TextDecoder decodes ISO-8859-1 as windows-1252, and Node 20 decodes windows-1252 as ISO-8859-1.
  if (name === 'ISO-8859-1') return LATIN;
  if (name === 'windows-1252') return LATIN.slice(0, 0x80) + WINDOWS_1252_CONTROLS + LATIN.slice(0xa0);
  const decoder = new TextDecoder(name.toLowerCase());
  return Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte))).join('');
}
