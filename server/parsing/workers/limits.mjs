// @ts-check
/** Parsing limits, for the server and its worker threads alike. */

/** Characters of a definition. The largest one in the public format library has half as many. */
export const MAX_DEFINITION = 256 * 1024;
/** Values in a definition, counting those that aliases repeat. */
export const MAX_DEFINITION_VALUES = 20_000;
export const MAX_DEFINITION_DEPTH = 40;
/** Aliases in a definition. Resolving one takes as long as the definition is large. */
export const MAX_ALIASES = 200;
/** Characters of generated code. */
export const MAX_CODE = 2 * 1024 * 1024;
/** Milliseconds for a definition, from text to code. */
export const MAX_COMPILE_MS = 5000;

/** Milliseconds to load the generated code. */
export const MAX_LOAD_MS = 500;
/**
 * Milliseconds for a message. QuickJS checks the time about every 10,000 steps of the generated code, so a message that
 * calls slow native functions can exceed it.
 */
export const MAX_MESSAGE_MS = 50;
/** Milliseconds after which a message is stopped with its thread. */
export const MAX_STUCK_MS = 4 * MAX_MESSAGE_MS;
/**
 * Bytes of memory that QuickJS allocates for the definition and a message. Outside of QuickJS, a message needs memory
 * for its bytes and its result (`MAX_RESULT`), which is part of the thread's own limit.
 */
export const MAX_MEMORY = 16 * 1024 * 1024;
/** Bytes of stack. */
export const MAX_STACK = 256 * 1024;
/** Values in a result. */
export const MAX_VALUES = 5000;
/** Characters of a result as JSON. A message stores its result, and two events contain it. */
export const MAX_RESULT = 64 * 1024;
/** Characters of a batch's results. Beyond this, the remaining messages aren't tried. */
export const MAX_BATCH_RESULTS = 16 * 1024 * 1024;
export const MAX_RESULT_DEPTH = 40;
