// @ts-check
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core';

import { decodingTables } from './encodings.mjs';
import {
  MAX_LOAD_MS,
  MAX_MEMORY,
  MAX_MESSAGE_MS,
  MAX_RESULT,
  MAX_RESULT_DEPTH,
  MAX_STACK,
  MAX_VALUES,
} from './limits.mjs';

/**
 * @typedef {import('./definition.mjs').Compiled} Compiled
 * @typedef {{ readonly path: string, readonly start: number, readonly end: number }} Range
 * @typedef {{ readonly reason: string, readonly path?: string, readonly offset?: number,
 *   readonly exceeds?: true }} Failure `reason` follows the field and a colon; `exceeds` is true if a
 *   limit ended the parser
 * @typedef {{ readonly fields: Record<string, unknown>, readonly characters: number,
 *   readonly ranges?: readonly Range[] } | Failure} Result `characters` is the length of the result as JSON
 */

const require = createRequire(import.meta.url);
const wasm = readFile(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')).then((bytes) =>
  WebAssembly.compile(bytes),
);
const kaitai = readFile(require.resolve('kaitai-struct/KaitaiStream'), 'utf8');
const decoding = readFile(new URL('./decoding.mjs', import.meta.url), 'utf8');
const harness = readFile(new URL('./harness.mjs', import.meta.url), 'utf8');

/**
 * A definition ready to parse: generated code in a separate QuickJS. Each realm has its own WebAssembly instance and
 * memory, so not even an error in QuickJS lets one definition see another. It has no access to host functions: only
 * bytes go in and text comes out.
 */
export class Realm {
  /** False once it has exceeded a limit or crashed: its state is unknown, and it may hold a lot of memory. */
  isUsable = true;
  #context;
  #parse;
  #whereStopped;
  #maxMs = 0;
  #startedAt = 0;
  #cpu = /** @type {NodeJS.CpuUsage | undefined} */ (undefined);
  #interrupted = false;

  /**
   * @param {Compiled} compiled
   * @returns {Promise<Realm>}
   * @throws {Error} if the generated code fails before any message
   */
  static async create(compiled) {
    const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: await wasm }));
    return new Realm(module, { kaitai: await kaitai, decoding: await decoding, harness: await harness }, compiled);
  }

  /**
   * @param {import('quickjs-emscripten-core').QuickJSWASMModule} module
   * @param {{ readonly kaitai: string, readonly decoding: string, readonly harness: string }} runtimeCode
   * @param {Compiled} compiled
   */
  constructor(module, runtimeCode, { code, className, type, encodings }) {
    const runtime = module.newRuntime({ memoryLimitBytes: MAX_MEMORY, maxStackSizeBytes: MAX_STACK });
    runtime.setInterruptHandler(() => this.#interrupt());
    this.#context = runtime.newContext();
    this.#start(MAX_LOAD_MS);
    this.#evaluate(runtimeCode.kaitai, 'kaitai');
    const decoder = this.#evaluate(runtimeCode.decoding, 'decoding', 'module');
    const setTables = this.#context.getProp(decoder, 'setTables');
    const functions = this.#evaluate(runtimeCode.harness, 'harness', 'module');
    this.#parse = this.#context.getProp(functions, 'parse');
    this.#whereStopped = this.#context.getProp(functions, 'whereStopped');
    const prepare = this.#context.getProp(functions, 'prepare');
    this.#evaluate(code, 'definition');
    this.#call(setTables, decodingTables(encodings));
    this.#call(prepare, { className, type, values: MAX_VALUES, depth: MAX_RESULT_DEPTH });
  }

  /**
   * @param {Uint8Array} message
   * @param {boolean} withRanges
   * @returns {Result}
   */
  parse(message, withRanges) {
    try {
      return this.#parseWithinLimits(message, withRanges);
    } catch (error) {
      // WebAssembly itself failed, for example because its stack overflowed.
      this.isUsable = false;
      return { reason: error instanceof RangeError ? 'nesting is too deep' : 'the parser crashed', exceeds: true };
    }
  }

  /**
   * @param {Uint8Array} message
   * @param {boolean} withRanges
   * @returns {Result}
   */
  #parseWithinLimits(message, withRanges) {
    const context = this.#context;
    this.#start();
    const buffer = context.newArrayBuffer(Uint8Array.from(message).buffer);
    const outcome = context.callFunction(
      this.#parse,
      context.undefined,
      buffer,
      withRanges ? context.true : context.false,
    );
    buffer.dispose();
    if (outcome.error !== undefined) {
      outcome.error.dispose();
      this.isUsable = false;
      if (this.#interrupted) {
        return { reason: `parsing took longer than ${MAX_MESSAGE_MS} ms`, exceeds: true, ...this.#locate() };
      }
      return { reason: 'parsing needed more memory than a message may use', exceeds: true, ...this.#locate() };
    }
    const [result, characters] = readJson(context, outcome.value);
    if (result === undefined) return { reason: `the result exceeds ${MAX_RESULT} characters` };
    // The generated code shares the realm with the harness, so the text may be anything.
    if (isRecord(result['fields']) && isPlain(result['fields'], MAX_RESULT_DEPTH + 1)) {
      return { fields: result['fields'], characters, ...(withRanges ? { ranges: readRanges(result['ranges']) } : {}) };
    }
    const failure = { reason: readReason(result['reason']), ...readPlace(result) };
    if (result['exhausted'] !== true) return failure;
    this.isUsable = false;
    return { ...failure, exceeds: true };
  }

  /** @returns {{ path?: string, offset?: number }} */
  #locate() {
    this.#start();
    const outcome = this.#context.callFunction(this.#whereStopped, this.#context.undefined);
    if (outcome.error !== undefined) {
      outcome.error.dispose();
      return {};
    }
    return readPlace(readJson(this.#context, outcome.value)[0]);
  }

  #start(milliseconds = MAX_MESSAGE_MS) {
    this.#maxMs = milliseconds;
    this.#startedAt = performance.now();
    this.#cpu = undefined;
    this.#interrupted = false;
  }

  /**
   * QuickJS calls this every 10,000 steps or so. On a busy machine, the clock also counts the time of other processes,
   * so the limit applies to the CPU time since the first call as well. A message with so few steps that there is no
   * second call is never interrupted.
   */
  #interrupt() {
    if (this.#cpu === undefined) {
      this.#cpu = process.cpuUsage();
      return false;
    }
    if (performance.now() - this.#startedAt < this.#maxMs) return false;
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#interrupted = (user + system) / 1000 >= this.#maxMs;
    return this.#interrupted;
  }

  /**
   * Calls a function with an argument as JSON.
   *
   * @param {import('quickjs-emscripten-core').QuickJSHandle} target
   * @param {unknown} argument
   */
  #call(target, argument) {
    const json = this.#context.newString(JSON.stringify(argument));
    this.#unwrap(this.#context.callFunction(target, this.#context.undefined, json));
  }

  /**
   * @param {string} code
   * @param {string} name
   * @param {'global' | 'module'} [type]
   */
  #evaluate(code, name, type = 'global') {
    return this.#unwrap(this.#context.evalCode(code, name, { type }));
  }

  /**
   * Throws a realm's error with only its message: the library's error has the whole realm as a property.
   *
   * @param {ReturnType<import('quickjs-emscripten-core').QuickJSContext['evalCode']>} outcome
   */
  #unwrap(outcome) {
    if (outcome.error === undefined) return outcome.value;
    const { message } = this.#context.dump(outcome.error);
    throw new Error(this.#interrupted ? `loading took longer than ${MAX_LOAD_MS} ms` : readReason(message));
  }
}

/**
 * Reads a result and its length, and frees its handle. The result is undefined if it is too long.
 *
 * @param {import('quickjs-emscripten-core').QuickJSContext} context
 * @param {import('quickjs-emscripten-core').QuickJSHandle} handle
 * @returns {[Record<string, unknown> | undefined, number]}
 */
function readJson(context, handle) {
  const text = context.typeof(handle) === 'string' ? context.getString(handle) : '';
  handle.dispose();
  const { length } = text;
  if (length > MAX_RESULT) return [undefined, length];
  const value = /** @type {unknown} */ (JSON.parse(text));
  if (!isRecord(value)) return [{}, length];
  return [UNSTORABLE.test(text) ? /** @type {Record<string, unknown>} */ (toStorable(value)) : value, length];
}

/** Finds the escapes of characters that the database can't store, in a JSON text. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * Replaces NUL characters and lone surrogates. The harness does the same, but the generated code shares its realm.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
function toStorable(value) {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
  if (Array.isArray(value)) return value.map(toStorable);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toStorable(key), toStorable(inner)]));
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * True if the value is nested no deeper than results are, and has no key that JavaScript treats differently.
 *
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean}
 */
const isPlain = (value, depth) =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && !Object.hasOwn(value, '__proto__') && Object.values(value).every((inner) => isPlain(inner, depth - 1)));

const MAX_TEXT = 200;

/** @param {string} text */
const shorten = (text) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** @param {unknown} reason */
const readReason = (reason) => (typeof reason === 'string' && reason !== '' ? shorten(reason) : 'unknown error');

/**
 * @param {Record<string, unknown> | undefined} result
 * @returns {{ path?: string, offset?: number }}
 */
function readPlace(result) {
  const { path, offset } = result ?? {};
  return {
    ...(typeof path === 'string' && path !== '' ? { path: shorten(path) } : {}),
    ...(typeof offset === 'number' && Number.isSafeInteger(offset) ? { offset } : {}),
  };
}

/**
 * @param {unknown} ranges
 * @returns {Range[]}
 */
const readRanges = (ranges) =>
  (Array.isArray(ranges) ? ranges : []).map(({ path, start, end }) => ({
    path: String(path),
    start: Number(start),
    end: Number(end),
  }));
