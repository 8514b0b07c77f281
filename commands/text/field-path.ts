/** `name`, `.name`, `[0]`, or `['name']`. */
const STEP = /\.?([\p{L}_][\p{L}\p{N}_-]*)|\[(\d{1,9})\]|\['([^']*)'\]|\["([^"]*)"\]/uy;

/** The keys on the way to a value. */
export type Steps = readonly (string | number)[];

/** Reads the path of a parser's field: `level`, `$.sensors[0].level`. Undefined if it is invalid. */
export function stepsOf(path: string): Steps | undefined {
  const text = path.trim().replace(/^\$/, '');
  const steps: (string | number)[] = [];
  for (STEP.lastIndex = 0; STEP.lastIndex < text.length;) {
    const [, name, index, quoted, doublyQuoted] = STEP.exec(text) ?? [];
    if (index !== undefined) steps.push(Number(index));
    else {
      const key = name ?? quoted ?? doublyQuoted;
      if (key === undefined) return undefined;
      steps.push(key);
    }
  }
  return steps.length === 0 ? undefined : steps;
}

/** Returns the path that results use: `sensors[0].level`. */
export function printSteps(steps: Steps): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** Returns a path in the form that results use. Keeps an invalid one as it is. */
export const canonicalPath = (path: string): string => printSteps(stepsOf(path) ?? [path]);

/**
 * Returns a key that is equal for two spellings of a path, such as `place.pin` and `$.place['pin']`. `['0']` reads the
 * same item of a list as `[0]`.
 */
export const pathKey = (path: string): string => JSON.stringify((stepsOf(path) ?? [path]).map(String));

/** Returns the JSON path of a value in an object: `$.fields['flow rate'][0]`. */
export function printJsonPath(steps: Steps): string {
  const printed = steps.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    if (/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(step)) return `.${step}`;
    return step.includes("'") ? `["${step}"]` : `['${step}']`;
  });
  return `$${printed.join('')}`;
}

/** Returns the value at a path; undefined if there is none. */
export const valueAt = (root: unknown, path: string): unknown => valueAtSteps(root, stepsOf(path) ?? []);

/** Like {@link valueAt}, for a path that is read many times. */
export function valueAtSteps(root: unknown, steps: Steps): unknown {
  let value = root;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}
