// @ts-check
/** Decodes text for generated parsers. Like the harness, it runs in QuickJS, which has no TextDecoder. */

const { KaitaiStream } = /** @type {{ KaitaiStream: any }} */ (/** @type {unknown} */ (globalThis));

let tables = /** @type {Record<string, string>} */ ({});

/**
 * Sets the characters of encodings with one byte per character (encodings.mjs).
 *
 * @param {string} json
 */
export function setTables(json) {
  tables = JSON.parse(json);
}

/**
 * @param {Uint8Array} bytes
 * @param {string} encoding
 */
KaitaiStream.bytesToStr = (bytes, encoding) => {
  const name = encoding.toLowerCase();
  const table = tables[name];
  if (table !== undefined) return Array.from(bytes, (byte) => table.charAt(byte)).join('');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (name) {
    case 'ascii':
      return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : '\ufffd')).join('');
    case 'utf-8':
      return decodeUtf8(bytes);
    case 'utf-16le':
    case 'utf-16be':
      return decodeUnits(bytes.length, 2, (at) => String.fromCharCode(view.getUint16(at, name === 'utf-16le')));
    case 'utf-32le':
    case 'utf-32be':
      return decodeUnits(bytes.length, 4, (at) => characterOf(view.getUint32(at, name === 'utf-32le')));
    default:
      throw new Error(`has the encoding ${encoding}, which isn't supported`);
  }
};

/** @param {number} length @param {number} size @param {(at: number) => string} decode */
function decodeUnits(length, size, decode) {
  const units = [];
  for (let at = 0; at + size <= length; at += size) units.push(decode(at));
  return units.join('') + (length % size === 0 ? '' : '\ufffd');
}

/** @param {number} code */
const characterOf = (code) =>
  code > 0x10_ff_ff || (code >= 0xd8_00 && code < 0xe0_00) ? '\ufffd' : String.fromCodePoint(code);

/** @param {Uint8Array} bytes */
function decodeUtf8(bytes) {
  const characters = [];
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at++] ?? 0;
    const count =
      lead < 0x80
        ? 0
        : lead >= 0xc2 && lead < 0xe0
          ? 1
          : (lead & 0xf0) === 0xe0
            ? 2
            : lead >= 0xf0 && lead < 0xf5
              ? 3
              : -1;
    let code = count < 1 ? lead : lead & (0x3f >> count);
    let read = 0;
    while (read < count && ((bytes[at] ?? 0) & 0xc0) === 0x80) {
      code = (code << 6) | ((bytes[at++] ?? 0) & 0x3f);
      read += 1;
    }
    const isOverlong = (count === 2 && code < 0x8_00) || (count === 3 && code < 0x1_00_00);
    characters.push(count === -1 || read < count || isOverlong ? '\ufffd' : characterOf(code));
  }
  return characters.join('');
}
