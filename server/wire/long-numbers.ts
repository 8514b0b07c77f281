import { protoInt64 } from '@bufbuild/protobuf';

/** More than any 64-bit number takes, with leading zeros and spaces to spare. */
const MAX_CHARACTERS = 100;

// JSON may carry such a number as text, and BigInt takes a second for four million digits, which compress to four
// kilobytes.
const { parse, uParse } = protoInt64;
Object.assign(protoInt64, { parse: bounded(parse), uParse: bounded(uParse) });

function bounded(read: typeof parse): typeof parse {
  return (value) => {
    if (typeof value === 'string' && value.length > MAX_CHARACTERS) {
      throw new RangeError(`invalid 64-bit number: it has ${value.length} characters`);
    }
    return read.call(protoInt64, value);
  };
}
