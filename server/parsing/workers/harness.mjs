// @ts-check
/**
 * Runs a generated parser on messages and presents its objects as JSON. QuickJS evaluates this module in the realm of
 * the definition, after Kaitai's runtime; it never runs in Node. It can reach nothing but its arguments.
 *
 * The generated code is compiled for debugging: `_debug` holds the bytes of each field, and the name of its enum.
 */

/**
 * @typedef {{ readonly id: string, readonly bits?: number }} Attribute `bits` for a bit field
 * @typedef {{ readonly seq: readonly Attribute[], readonly instances: readonly Attribute[],
 *   readonly types: Readonly<Record<string, Type>> }} Type the fields and types of a type in the definition
 * @typedef {{ readonly id: string, readonly key: string, readonly debugKey: string, readonly valueKey: string,
 *   readonly bits: number }} Field
 * @typedef {{ start?: number, end?: number, ioOffset?: number, enumName?: string, arr?: Debug[] }} Debug
 * @typedef {{ readonly path: string, readonly offset?: number }} Place
 * @typedef {Record<string, any>} Parsed an object of the generated code
 */

const { KaitaiStream } = /** @type {{ KaitaiStream: any }} */ (/** @type {unknown} */ (globalThis));

/** The exports of the generated code. */
const exported = /** @type {Record<string, any>} */ ({});

/** Receives the generated code as an AMD module, which keeps its name out of the global scope. */
const define = (/** @type {unknown} */ _dependencies, /** @type {Function} */ factory) =>
  factory(exported, KaitaiStream);
Object.assign(globalThis, { define: Object.assign(define, { amd: true }) });

/** The fields of each generated class, by its prototype: a field may be named `constructor`. */
const fieldsByPrototype = /** @type {Map<object, readonly Field[]>} */ (new Map());
const limits = { values: 0, depth: 0 };

/** The message being parsed. */
let root = /** @type {Parsed | undefined} */ (undefined);
/** The instance being evaluated for the result. */
let evaluating = /** @type {string | undefined} */ (undefined);

/**
 * Prepares for messages after the generated code has been evaluated.
 *
 * @param {string} json
 */
export function prepare(json) {
  const { className, type, values, depth } = JSON.parse(json);
  Object.assign(limits, { values, depth });
  register(type, exported[className]);
  rootClass = exported[className];
}

let rootClass = /** @type {any} */ (undefined);

/**
 * @param {Type} type
 * @param {any} generatedClass
 */
function register(type, generatedClass) {
  const fields = [
    ...type.seq.map(({ id, bits = 0 }) => {
      const key = camelCase(id);
      return { id, key, debugKey: key, valueKey: key, bits };
    }),
    ...type.instances.map(({ id }) => {
      const key = camelCase(id);
      return { id, key, debugKey: `_m_${key}`, valueKey: `_m_${key}`, bits: 0 };
    }),
  ];
  fieldsByPrototype.set(generatedClass.prototype, fields);
  for (const [name, inner] of Object.entries(type.types)) register(inner, generatedClass[classCase(name)]);
}

/** @param {string} id */
const camelCase = (id) => {
  const [first = '', ...rest] = id.split('_');
  return first + rest.map(capitalize).join('');
};

/** @param {string} name */
const classCase = (name) => name.split('_').map(capitalize).join('');

/** @param {string} word */
const capitalize = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * Parses a message.
 *
 * @param {ArrayBuffer} message
 * @param {boolean} withRanges
 * @returns {string} JSON: the fields, or the reason for the failure with its place
 */
export function parse(message, withRanges) {
  root = undefined;
  evaluating = undefined;
  exactIntegers.clear();
  try {
    root = /** @type {Parsed} */ (new rootClass(new KaitaiStream(message), null, null));
    root._read();
    const presentation = new Presentation(message, withRanges);
    const fields = presentation.object(root, '', 1);
    return JSON.stringify({ fields, ranges: presentation.ranges });
  } catch (error) {
    return JSON.stringify({ ...describe(error), ...locate() });
  }
}

/**
 * Returns the field at which an interrupted parse stopped, if it had begun one.
 *
 * @returns {string} JSON
 */
export const whereStopped = () => JSON.stringify(locate() ?? {});

/** Presents one message's objects. */
class Presentation {
  #values = 0;
  #message;
  /** The objects around the current one: an instance may return its parent. */
  #around = /** @type {Set<object>} */ (new Set());
  /** An instance may return the list of another field, without its enum. */
  #enumOfList = /** @type {Map<readonly any[], string>} */ (new Map());
  /** Undefined if they were not requested. */
  ranges;

  /**
   * @param {ArrayBuffer} message
   * @param {boolean} withRanges
   */
  constructor(message, withRanges) {
    this.#message = message;
    this.ranges = withRanges ? /** @type {{ path: string, start: number, end: number }[]} */ ([]) : undefined;
  }

  /**
   * @param {Parsed} object
   * @param {string} path
   * @param {number} depth
   */
  object(object, path, depth) {
    if (depth > limits.depth) throw new Error(`nesting exceeds ${limits.depth} levels`);
    this.#around.add(object);
    const located = object._io._buffer === this.#message;
    /** The bits of the current byte that earlier fields have read. */
    let bitsRead = 0;
    const result = /** @type {Record<string, unknown>} */ ({});
    for (const field of fieldsByPrototype.get(Object.getPrototypeOf(object)) ?? []) {
      const fieldPath = path === '' ? field.id : `${path}.${field.id}`;
      evaluating = fieldPath;
      const value = object[field.key];
      evaluating = undefined;
      const debug = /** @type {Debug | undefined} */ (object._debug[field.debugKey]);
      if (located) this.#addRange(fieldPath, debug, bitsRead > 0 && field.bits > 0);
      bitsRead = field.bits === 0 || debug?.end === undefined ? 0 : (bitsRead + field.bits) % 8;
      const presentedValue = this.#value(value, debug, fieldPath, depth, located);
      if (presentedValue !== undefined) result[field.id] = presentedValue;
    }
    this.#around.delete(object);
    return result;
  }

  /**
   * @param {any} value
   * @param {Debug | undefined} debug
   * @param {string} path
   * @param {number} depth
   * @param {boolean} located true if `debug` refers to the bytes of the message
   * @returns {unknown} undefined for a field missing from the message, and for anything that isn't data
   */
  #value(value, debug, path, depth, located) {
    if (++this.#values > limits.values) throw new Error(`the result exceeds ${limits.values} values`);
    if (Array.isArray(value)) return this.#list(value, debug, path, depth, located);
    if (debug?.enumName !== undefined) return enumLabel(debug.enumName, value);
    switch (typeof value) {
      case 'boolean':
        return value;
      case 'string':
        return replaceUnstorable(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'object':
        break;
      default:
        return undefined;
    }
    if (value === null) return undefined;
    if (value instanceof ExactInteger) return String(value);
    if (value instanceof Uint8Array) return hex(value);
    const isParsed = fieldsByPrototype.has(Object.getPrototypeOf(value)) && !this.#around.has(value);
    return isParsed ? this.object(value, path, depth + 1) : undefined;
  }

  /**
   * @param {readonly any[]} items
   * @param {Debug | undefined} debug
   * @param {string} path
   * @param {number} depth
   * @param {boolean} located
   */
  #list(items, debug, path, depth, located) {
    const enumName = debug?.enumName ?? this.#enumOfList.get(items);
    if (enumName !== undefined) this.#enumOfList.set(items, enumName);
    return items.map((item, index) => {
      const itemPath = `${path}[${index}]`;
      const itemDebug = debug?.arr?.[index] ?? (enumName === undefined ? undefined : { enumName });
      if (located) this.#addRange(itemPath, itemDebug);
      return this.#value(item, itemDebug, itemPath, depth + 1, located) ?? null;
    });
  }

  /**
   * @param {string} path
   * @param {Debug | undefined} debug
   * @param {boolean} [startsInsideByte] true for a bit field whose first byte was read with the field before it
   */
  #addRange(path, debug, startsInsideByte = false) {
    const { start, end, ioOffset = 0 } = debug ?? {};
    if (start === undefined || end === undefined) return;
    this.ranges?.push({ path, start: ioOffset + start - (startsInsideByte ? 1 : 0), end: ioOffset + end });
  }
}

/**
 * Returns the name of an enum value as the definition spells it; the number if the enum doesn't define it.
 *
 * @param {string} enumName such as `Message.Status`
 * @param {any} value
 */
function enumLabel(enumName, value) {
  const [first = '', ...rest] = enumName.split('.');
  const labels = rest.reduce((scope, name) => scope?.[name], first in exported ? exported[first] : undefined);
  const label = labels?.[Number(value)];
  // Generated names are in uppercase, while those in a definition are always in lowercase.
  return typeof label === 'string' ? label.toLowerCase() : value instanceof ExactInteger ? String(value) : value;
}

/** PostgreSQL can't store NUL or half a surrogate pair. @param {string} text */
const replaceUnstorable = (text) => text.replaceAll('\0', '\ufffd').replace(LONE_SURROGATE, '\ufffd');
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** @param {Uint8Array} bytes */
const hex = (bytes) => {
  let text = '';
  for (const byte of bytes) text += (byte < 16 ? '0' : '') + byte.toString(16);
  return text.toUpperCase();
};

/** Returns the field that was read last, or was about to be read. @returns {Place | undefined} */
function locate() {
  const stopped = root === undefined ? undefined : stoppedIn(root, '', 1);
  return evaluating !== undefined && stopped?.unfinished !== true ? { path: evaluating } : stopped?.place;
}

/**
 * @param {Parsed} object
 * @param {string} path
 * @param {number} depth
 * @returns {{ readonly place: Place, readonly unfinished: boolean } | undefined} `unfinished` is false for a field that
 *   was read and then rejected
 */
function stoppedIn(object, path, depth) {
  let stopped;
  if (depth > limits.depth) return undefined;
  for (const field of fieldsByPrototype.get(Object.getPrototypeOf(object)) ?? []) {
    const debug = Object.hasOwn(object._debug, field.debugKey) ? object._debug[field.debugKey] : undefined;
    if (debug === undefined || debug.start === undefined) continue;
    const fieldPath = path === '' ? field.id : `${path}.${field.id}`;
    const unfinished = debug.end === undefined;
    const offset = debug.start + (debug.ioOffset ?? 0);
    stopped = { unfinished, place: { path: fieldPath, offset } };
    if (unfinished) return { unfinished, place: stoppedAt(debug, object[field.valueKey], fieldPath, depth) };
  }
  return stopped;
}

/**
 * @param {Debug} debug
 * @param {any} value
 * @param {string} path
 * @param {number} depth
 * @returns {Place}
 */
function stoppedAt(debug, value, path, depth) {
  const last = debug.arr?.at(-1);
  if (debug.arr !== undefined && last !== undefined && last.end === undefined) {
    const index = debug.arr.length - 1;
    return stoppedAt(last, value?.[index], `${path}[${index}]`, depth);
  }
  const isParsed = typeof value === 'object' && value !== null && fieldsByPrototype.has(Object.getPrototypeOf(value));
  const inside = isParsed ? stoppedIn(value, path, depth + 1) : undefined;
  return inside?.place ?? { path, offset: (debug.start ?? 0) + (debug.ioOffset ?? 0) };
}

/**
 * @param {any} error
 * @returns {{ reason: string, exhausted?: true }}
 */
function describe(error) {
  if (error instanceof KaitaiStream.EOFError) {
    const { bytesReq, bytesAvail } = error;
    return { reason: `${bytesReq} ${bytesReq === 1 ? 'byte' : 'bytes'} needed, ${bytesAvail} left` };
  }
  const message = String(error?.message ?? error);
  if (message === 'out of memory')
    return { reason: 'parsing needed more memory than a message may use', exhausted: true };
  if (message === 'stack overflow') return { reason: 'nesting is too deep', exhausted: true };
  if ('expected' in Object(error))
    return { reason: `${formatValue(error.actual)} instead of ${formatValue(error.expected)}` };
  if ('min' in Object(error)) {
    return { reason: `${formatValue(error.actual)} is less than ${formatValue(error.min)}` };
  }
  if ('max' in Object(error)) {
    return { reason: `${formatValue(error.actual)} is more than ${formatValue(error.max)}` };
  }
  if ('actual' in Object(error)) return { reason: `the definition doesn't allow ${formatValue(error.actual)}` };
  return { reason: message };
}

/** @param {any} value */
const formatValue = (value) => (value instanceof Uint8Array ? hex(value) || 'empty' : String(value));

/** An integer that a JavaScript number can't hold. Expressions use the nearest number, but results have all digits. */
class ExactInteger {
  #digits;

  /** @param {bigint} value */
  constructor(value) {
    this.#digits = String(value);
  }
  valueOf() {
    return Number(this.#digits);
  }
  toString() {
    return this.#digits;
  }
}

/** One object per value, so equal values are also equal in expressions. */
const exactIntegers = /** @type {Map<bigint, ExactInteger>} */ (new Map());

/** @param {bigint} value */
function exactInteger(value) {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  const knownInteger = exactIntegers.get(value) ?? new ExactInteger(value);
  exactIntegers.set(value, knownInteger);
  return knownInteger;
}

/** @param {'getBigUint64' | 'getBigInt64'} getter @param {boolean} littleEndian */
const readEightBytes = (getter, littleEndian) =>
  /** @this {any} */
  function () {
    this.ensureBytesLeft(8);
    const value = this._dataView[getter](this.pos, littleEndian);
    this.pos += 8;
    return exactInteger(value);
  };

Object.assign(KaitaiStream.prototype, {
  readU8be: readEightBytes('getBigUint64', false),
  readU8le: readEightBytes('getBigUint64', true),
  readS8be: readEightBytes('getBigInt64', false),
  readS8le: readEightBytes('getBigInt64', true),
  /**
   * Kaitai's own version truncates the length to 32 bits.
   *
   * @this {any}
   * @param {unknown} length a number, or an {@link ExactInteger}
   */
  mapUint8Array(length) {
    const count = Number(length);
    if (!(count >= 0)) throw new RangeError(`the size is ${String(length)}`);
    this.ensureBytesLeft(count);
    const bytes = new Uint8Array(this._buffer, this.byteOffset + this.pos, count);
    this.pos += count;
    return bytes;
  },
});
