// dependency-cruiser reads TypeScript through the compiler's API, which TypeScript 7 doesn't have. In a program that
// imports this file with `--import`, `typescript` resolves to the last version with that API.
import Module, { register } from 'node:module';

const WITH_API = 'typescript-6';

// Redirects look-ups of TypeScript's version.
const internals = /** @type {{ _resolveFilename: (request: string, ...rest: unknown[]) => string }} */ (
  /** @type {unknown} */ (Module)
);
const resolveFilename = internals._resolveFilename;
internals._resolveFilename = function resolve(request, ...rest) {
  return resolveFilename.call(this, request.replace(/^typescript(?=\/|$)/, WITH_API), ...rest);
};

// Redirects imports.
const hooks = `export const resolve = (specifier, context, next) =>
  next(specifier === 'typescript' ? '${WITH_API}' : specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
