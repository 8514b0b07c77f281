import { protoInt64 } from '@bufbuild/protobuf';

/** The maximum length. No 64-bit number needs more, even with leading zeros and spaces. */
const MAX_CHARACTERS = 100;

// JSON can contain 64-bit numbers as text. BigInt takes a second to parse four million digits, which compress to four
// kilobytes.
const { parse, uParse } = protoInt64;
Object.assign(protoInt64, { parse: limitLength(parse), uParse: limitLength(uParse) });

function limitLength(parseNumber: typeof parse): typeof parse {
  return (value) => {
    if (typeof value === 'string' && value.length > MAX_CHARACTERS) {
      throw new RangeError(`invalid 64-bit number: it has ${value.length} characters`);
    }
    return parseNumber.call(protoInt64, value);
  };
}
