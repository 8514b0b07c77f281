// dependency-cruiser reads TypeScript through the compiler's API, which TypeScript 7 does not have: for whatever runs with
// `--import` of this file, `typescript` is the last version that has it.
import Module, { register } from 'node:module';

const WITH_API = 'typescript-6';

// How a tool asks for its version.
const internals = /** @type {{ _resolveFilename: (request: string, ...rest: unknown[]) => string }} */ (
  /** @type {unknown} */ (Module)
);
const resolveFilename = internals._resolveFilename;
internals._resolveFilename = function resolve(request, ...rest) {
  return resolveFilename.call(this, request.replace(/^typescript(?=\/|$)/, WITH_API), ...rest);
};

// How it loads it.
const hooks = `export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? '${WITH_API}' : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
