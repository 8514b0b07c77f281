const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const PADDING = '='.charCodeAt(0);

/** The letters that are joined at once. A call takes a limited number of arguments. */
const RUN_LENGTH = 0x80_00;

/** Encodes bytes as Base64. Protobuf's function adds letter by letter, and freezes the page for a large file. */
export function toBase64(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let from = 0, to = 0; from < bytes.length; from += 3) {
    const triple = (bytes[from]! << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    codes[to++] = CODES[triple >> 18]!;
    codes[to++] = CODES[(triple >> 12) & 63]!;
    codes[to++] = from + 1 < bytes.length ? CODES[(triple >> 6) & 63]! : PADDING;
    codes[to++] = from + 2 < bytes.length ? CODES[triple & 63]! : PADDING;
  }
  const runs: string[] = [];
  for (let start = 0; start < codes.length; start += RUN_LENGTH) {
    runs.push(String.fromCharCode.apply(undefined, codes.subarray(start, start + RUN_LENGTH) as unknown as number[]));
  }
  return runs.join('');
}
