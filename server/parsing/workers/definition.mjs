// @ts-check
import compiler from 'kaitai-struct-compiler';
import { Composer, isAlias, isMap, isScalar, isSeq, LineCounter, Parser } from 'yaml';

import { describeCycle } from './cycles.mjs';
import { isSupportedEncoding, SUPPORTED_ENCODINGS } from './encodings.mjs';
import { MAX_ALIASES, MAX_CODE, MAX_DEFINITION_DEPTH, MAX_DEFINITION_VALUES } from './limits.mjs';

/**
 * @typedef {{ readonly id: string, readonly bits?: number }} Attribute `bits` for a bit field
 * @typedef {{ readonly seq: readonly Attribute[], readonly instances: readonly Attribute[],
 *   readonly types: Readonly<Record<string, Type>> }} Type
 * @typedef {{ readonly code: string, readonly className: string, readonly type: Type,
 *   readonly encodings: readonly string[] }} Compiled the generated code, and what the harness must know about the
 *   definition
 * @typedef {readonly (string | number)[]} Path
 */

export const TOO_DEEP = `A definition can be nested at most ${MAX_DEFINITION_DEPTH} levels deep.`;

/** Thrown for a definition that can't be compiled. Has a message for its author, and the line. */
export class DefinitionError extends Error {
  /**
   * @param {string} message
   * @param {number} [line]
   */
  constructor(message, line) {
    super(message);
    this.line = line;
  }
}

/**
 * Compiles a Kaitai Struct definition to JavaScript.
 *
 * @param {string} text
 * @returns {Promise<Compiled>}
 * @throws {DefinitionError}
 */
export async function compile(text) {
  const source = readYaml(text);
  const { type, definition } = new Definition(source).read();
  // Kaitai's compiler writes prose into comments without escaping it, so this would end a comment.
  if (JSON.stringify(definition).includes('*/')) throw new DefinitionError(`A definition can't contain "*/".`);
  const { code, name } = await generate(definition, source);
  const encodings = [...code.matchAll(/\bbytesToStr\(.*?, "([^"\\]*)"\)/g)].map(([, encoding = '']) => encoding);
  const unknownEncoding = encodings.find((encoding) => !isSupportedEncoding(encoding));
  if (unknownEncoding !== undefined) throw unsupportedEncoding(unknownEncoding);
  return { code, className: name, type, encodings: [...new Set(encodings)] };
}

/** A definition as plain values, with the line of each. @typedef {ReturnType<typeof readYaml>} Source */

/**
 * Parses a text up to its first mistake, because a text can have a hundred thousand of them. Does not check that keys
 * are unique, because the parser's check takes the square of their number.
 *
 * @param {string} text
 * @param {LineCounter} lines
 */
function parseDocument(text, lines) {
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent' });
  /** @type {DefinitionError | undefined} */
  let problem;
  // The parser calls this for each mistake. Only throwing stops it, after it reports that error at each level around.
  Object.assign(composer, {
    /** @type {(source: number | readonly [number] | { readonly offset: number }, code: string, message: string, isWarning?: boolean) => void} */
    onError: (source, _code, message, isWarning) => {
      if (isWarning) return;
      const offset = typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0];
      problem ??= message.includes('call stack')
        ? new DefinitionError(TOO_DEEP)
        : invalidYaml(message, lines.linePos(offset).line);
      throw problem;
    },
  });
  const [document, secondDocument] = composer.compose(new Parser(lines.addNewLine).parse(text), true, text.length);
  if (problem !== undefined) throw problem;
  if (secondDocument) {
    throw invalidYaml('there is more than one document', lines.linePos(secondDocument.range[0]).line);
  }
  return /** @type {import('yaml').Document} */ (document);
}

/**
 * @param {string} message
 * @param {number | undefined} line
 */
const invalidYaml = (message, line) => new DefinitionError(`This isn't valid YAML: ${sentence(message)}`, line);

/** @param {string} text */
function readYaml(text) {
  const lines = new LineCounter();
  const document = parseDocument(text, lines);
  let values = 0;
  let aliases = 0;
  /** @param {number | undefined} offset */
  const lineAt = (offset) => (offset === undefined ? undefined : lines.linePos(offset).line);

  /**
   * Converts a node. Expands aliases here because an alias of an alias multiplies.
   *
   * @param {unknown} node
   * @param {number} depth
   * @returns {unknown}
   */
  const toValue = (node, depth) => {
    const line = lineAt(/** @type {{ range?: [number] }} */ (node ?? {}).range?.[0]);
    if (++values > MAX_DEFINITION_VALUES) {
      throw new DefinitionError(`A definition can have at most ${MAX_DEFINITION_VALUES} values, with aliases.`, line);
    }
    if (depth > MAX_DEFINITION_DEPTH) {
      throw new DefinitionError(TOO_DEEP, line);
    }
    if (isAlias(node)) {
      if (++aliases > MAX_ALIASES) {
        throw new DefinitionError(`A definition can have at most ${MAX_ALIASES} aliases.`, line);
      }
      return toValue(node.resolve(document), depth + 1);
    }
    if (isSeq(node)) return node.items.map((item) => toValue(item, depth + 1));
    if (isMap(node)) {
      const entries = new Map();
      for (const { key, value } of node.items) {
        if (!isScalar(key)) throw new DefinitionError('A key must be a single word or number.', line);
        const name = String(key.value);
        if (entries.has(name)) throw invalidYaml('Map keys must be unique', lineAt(key.range?.[0]));
        entries.set(name, toValue(value, depth + 1));
      }
      return Object.fromEntries(entries);
    }
    return isScalar(node) ? node.value : null;
  };

  return {
    value: toValue(document.contents, 0),
    /**
     * Returns the line of a value, or of the nearest value around it.
     *
     * @param {Path} path
     * @returns {number | undefined}
     */
    lineOf(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const parent = document.getIn(path.slice(0, length - 1), true) ?? document.contents;
        const last = path[length - 1];
        const pair = isMap(parent)
          ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last))
          : undefined;
        const node = pair?.key ?? (isSeq(parent) ? parent.items[Number(last)] : undefined);
        const range = /** @type {{ range?: [number] } | undefined} */ (node)?.range;
        if (range !== undefined) return lineAt(range[0]);
      }
      return undefined;
    },
  };
}

/** Prose, which mustn't reach the generated code: Kaitai's compiler doesn't escape comments in it. */
const isProse = (/** @type {string} */ key) => key === 'doc' || key === 'doc-ref' || key.startsWith('-');

const RESERVED = new Set(['__proto__', 'prototype']);

/** Globals that generated code uses, and that a parser of the same name would hide from it. */
const GLOBALS = new Set(['Array', 'KaitaiStream', 'Math', 'Number', 'Object', 'String', 'Uint8Array']);

/**
 * Returns the name that the generated code gives to a type or an enum: `Level1` for both `level_1` and `level1`.
 *
 * @param {string} name
 */
const classNameOf = (name) =>
  name
    .split('_')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** Reads the structure of a definition and rejects what the sandbox doesn't support. */
class Definition {
  #source;

  /** @param {Source} source */
  constructor(source) {
    this.#source = source;
  }

  /** @returns {{ type: Type, definition: Record<string, unknown> }} */
  read() {
    const { value } = this.#source;
    if (!isRecord(value)) throw new DefinitionError('A definition is a YAML map with `meta` and `seq`.', 1);
    const meta = isRecord(value['meta']) ? value['meta'] : {};
    if (meta['ks-opaque-types'] === true) {
      throw this.#error(['meta', 'ks-opaque-types'], "Opaque types aren't supported. Define all types here.");
    }
    if (value['params'] !== undefined) {
      throw this.#error(['params'], "A definition can't have params at the top: nothing sets them.");
    }
    const { type, plain } = this.#type(value, []);
    const { id = 'message', ...otherMeta } = withoutProse(meta);
    return { type, definition: { ...plain, meta: { id: distinctId(id, Object.keys(type.types)), ...otherMeta } } };
  }

  /**
   * @param {Record<string, unknown>} type
   * @param {Path} path
   * @param {readonly string[]} [around] the names of the types around it, without the outermost
   * @returns {{ type: Type, plain: Record<string, unknown> }} `plain` is without prose
   */
  #type(type, path, around = []) {
    if (isRecord(type['meta'])) this.#meta(type['meta'], [...path, 'meta']);
    const seq = Array.isArray(type['seq']) ? type['seq'] : [];
    const instances = isRecord(type['instances']) ? type['instances'] : {};
    const types = isRecord(type['types']) ? type['types'] : {};
    const plain = withoutProse(type);
    const fields = [
      ...seq.map((attribute, index) => ({
        id: isRecord(attribute) ? attribute['id'] : undefined,
        path: [...path, 'seq', index],
      })),
      ...Object.keys(instances).map((id) => ({ id, path: [...path, 'instances', id] })),
    ];
    this.#distinct(fields);
    this.#distinctNames(types, isRecord(type['enums']) ? type['enums'] : {}, path, around);
    const inner = Object.entries(types).map(([name, value]) => {
      const innerPath = [...path, 'types', name];
      if (RESERVED.has(name)) throw this.#error(innerPath, `A type can't be named ${name}.`);
      if (!isRecord(value)) throw this.#error(innerPath, `The type ${name} isn't a map.`);
      return { name, ...this.#type(value, innerPath, [...around, name]) };
    });
    if (Array.isArray(type['seq'])) {
      plain['seq'] = seq.map((attribute, index) => this.#attribute(attribute, [...path, 'seq', index]));
    }
    if (isRecord(type['instances'])) {
      plain['instances'] = Object.fromEntries(
        Object.entries(instances).map(([id, value]) => [id, this.#attribute(value, [...path, 'instances', id])]),
      );
    }
    if (isRecord(type['types'])) plain['types'] = Object.fromEntries(inner.map((entry) => [entry.name, entry.plain]));
    if (isRecord(type['enums'])) plain['enums'] = withoutEnumProse(type['enums']);
    if (Array.isArray(type['params'])) {
      plain['params'] = type['params'].map((param) => (isRecord(param) ? withoutProse(param) : param));
    }
    return {
      plain,
      type: {
        seq: seq.flatMap((attribute) => {
          const id = isRecord(attribute) ? attribute['id'] : undefined;
          return typeof id === 'string' ? [{ id, ...bitsOf(attribute) }] : [];
        }),
        instances: Object.keys(instances).map((id) => ({ id })),
        types: Object.fromEntries(inner.map((entry) => [entry.name, entry.type])),
      },
    };
  }

  /**
   * @param {Record<string, unknown>} meta
   * @param {Path} path
   */
  #meta(meta, path) {
    const { imports } = meta;
    if (Array.isArray(imports) ? imports.length > 0 : imports !== undefined && imports !== null) {
      throw this.#error([...path, 'imports'], "Imports aren't supported. Copy the types into this definition.");
    }
    this.#encoding(meta['encoding'], [...path, 'encoding']);
  }

  /**
   * @param {unknown} attribute
   * @param {Path} path
   */
  #attribute(attribute, path) {
    if (!isRecord(attribute)) return attribute;
    if (attribute['process'] !== undefined) {
      throw this.#error([...path, 'process'], "`process` isn't supported: bytes are parsed as they were received.");
    }
    if ((bitsOf(attribute).bits ?? 0) > 32) {
      throw this.#error(
        [...path, 'type'],
        `${String(attribute['type'])} is too wide: a bit field has at most 32 bits.`,
      );
    }
    this.#encoding(attribute['encoding'], [...path, 'encoding']);
    return withoutProse(attribute);
  }

  /**
   * @param {unknown} encoding
   * @param {Path} path
   */
  #encoding(encoding, path) {
    if (typeof encoding !== 'string' || isSupportedEncoding(encoding)) return;
    throw unsupportedEncoding(encoding, this.#source.lineOf(path));
  }

  /**
   * The generated code uses one name for both `level_1` and `level1`.
   *
   * @param {readonly { readonly id: unknown, readonly path: Path }[]} fields
   */
  #distinct(fields) {
    const ids = /** @type {Map<string, string>} */ (new Map());
    for (const { id, path } of fields) {
      if (typeof id !== 'string') continue;
      const key = id.replaceAll('_', '');
      const existing = ids.get(key);
      if (existing === id) throw this.#error(path, `Two fields are named ${id}.`);
      if (existing !== undefined) {
        throw this.#error(path, `The names ${existing} and ${id} differ only in underscores. Rename one.`);
      }
      ids.set(key, id);
    }
  }

  /**
   * The generated code keeps the types and the enums of a type in one object, where one would silently replace another.
   *
   * @param {Record<string, unknown>} types
   * @param {Record<string, unknown>} enums
   * @param {Path} path
   * @param {readonly string[]} around the names of the types around these types
   */
  #distinctNames(types, enums, path, around) {
    const subjects = /** @type {Map<string, string>} */ (new Map());
    for (const [kind, names] of /** @type {const} */ ([
      ['types', Object.keys(types)],
      ['enums', Object.keys(enums)],
    ])) {
      for (const name of names) {
        const subject = `${kind === 'types' ? 'type' : 'enum'} ${name}`;
        const className = classNameOf(name);
        const existing = subjects.get(className);
        if (existing !== undefined) {
          throw this.#error(
            [...path, kind, name],
            `The ${existing} and the ${subject} would share a name in the compiled parser. Rename one.`,
          );
        }
        subjects.set(className, subject);
        const outer = kind === 'types' ? around.find((other) => classNameOf(other) === className) : undefined;
        if (outer !== undefined) {
          throw this.#error([...path, kind, name], `The type ${name} is inside the type ${outer}. Rename one.`);
        }
      }
    }
  }

  /**
   * @param {Path} path
   * @param {string} message
   */
  #error(path, message) {
    return new DefinitionError(message, this.#source.lineOf(path));
  }
}

/**
 * Returns the id of a parser, or another one if the generated code would confuse it with a type or a global. Nothing
 * shows the id.
 *
 * @param {unknown} id
 * @param {readonly string[]} types the names of the types directly inside
 * @returns {unknown}
 */
function distinctId(id, types) {
  if (typeof id !== 'string') return id;
  const taken = new Set([...GLOBALS, ...types.map(classNameOf)]);
  let distinct = id;
  while (taken.has(classNameOf(distinct))) distinct += '_message';
  return distinct;
}

/**
 * Returns the width of a bit field.
 *
 * @param {Record<string, unknown>} attribute
 * @returns {{ readonly bits?: number }}
 */
function bitsOf({ type }) {
  const [, bits] = typeof type === 'string' ? (/^b(\d+)(?:le|be)?$/.exec(type) ?? []) : [];
  return bits === undefined ? {} : { bits: Number(bits) };
}

/**
 * @param {string} encoding
 * @param {number} [line]
 */
const unsupportedEncoding = (encoding, line) =>
  new DefinitionError(`The encoding "${encoding.slice(0, 40)}" isn't supported. Use ${SUPPORTED_ENCODINGS}.`, line);

/** @param {Record<string, unknown>} value */
const withoutProse = (value) => Object.fromEntries(Object.entries(value).filter(([key]) => !isProse(key)));

/** @param {Record<string, unknown>} enums */
const withoutEnumProse = (enums) =>
  Object.fromEntries(
    Object.entries(enums).map(([name, values]) => [
      name,
      isRecord(values)
        ? Object.fromEntries(
            Object.entries(values).map(([key, value]) => [key, isRecord(value) ? withoutProse(value) : value]),
          )
        : values,
    ]),
  );

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {Record<string, unknown>} definition
 * @param {Source} source
 * @returns {Promise<{ code: string, name: string }>}
 */
async function generate(definition, source) {
  const files = await compiler.compile('javascript', definition, rejectImport, true).catch((error) => {
    throw readProblem(error, source);
  });
  const [[file, code] = ['', '']] = Object.entries(files);
  if (code.length > MAX_CODE) throw new DefinitionError('The definition is too large to be compiled.');
  return { code, name: file.replace(/\.js$/, '') };
}

const rejectImport = { importYaml: () => Promise.reject(new DefinitionError("Imports aren't supported.")) };

/**
 * Reads a problem from Kaitai's compiler: `name: /seq/0/type:`, then the problem on the next line.
 *
 * @param {unknown} error
 * @param {Source} source
 */
function readProblem(error, source) {
  if (error instanceof DefinitionError) return error;
  if (error instanceof RangeError) return new DefinitionError(TOO_DEEP);
  const message = error instanceof Error ? error.message : String(error);
  const [, place, problem] = /: (\/[^\n:]*):\s*(?:error: )?(.*)/.exec(message) ?? [];
  if (place === undefined || problem === undefined) {
    const cycle = describeCycle(source.value, message);
    if (cycle !== undefined) return new DefinitionError(cycle.message, source.lineOf(cycle.path));
    return new DefinitionError(sentence(`Kaitai's compiler fails: ${message}`));
  }
  const path = place.split('/').filter(Boolean);
  const suffix = path.length === 0 ? '' : ` (${path.join('/')})`;
  return new DefinitionError(sentence(problem, suffix), source.lineOf(path.map(key)));
}

/** @param {string} part */
const key = (part) => (/^\d+$/.test(part) ? Number(part) : part);

const MAX_SENTENCE = 300;

/**
 * @param {string} text
 * @param {string} [suffix]
 */
function sentence(text, suffix = '') {
  const trimmed = text.trim().replace(/\.$/, '').slice(0, MAX_SENTENCE);
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${suffix}.`;
}
