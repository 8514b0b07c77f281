// @ts-check

/**
 * @typedef {readonly (string | number)[]} Path
 * @typedef {{ readonly name: string, readonly expression: string, readonly path: Path }} Instance
 */

/**
 * Describes an instance whose value depends on itself. Kaitai's compiler can't determine the type of such an instance,
 * and reports only its name.
 *
 * @param {unknown} definition
 * @param {string} name
 * @returns {{ readonly message: string, readonly path: Path } | undefined} undefined if there is no such instance
 */
export function describeCycle(definition, name) {
  /** @type {Map<string, Instance[]>} */
  const instances = new Map();
  for (const item of listInstances(definition, [])) {
    instances.set(item.name, [...(instances.get(item.name) ?? []), item]);
  }
  const [instance] = instances.get(name) ?? [];
  if (instance === undefined) return undefined;
  const others = new Set(findCycle(instances, instance).map((item) => item.name));
  others.delete(name);
  const detour = others.size === 0 ? '' : `, by way of ${[...others].join(', ')}`;
  const message = `The value of the instance ${name} depends on itself${detour}. Calculate it from other fields.`;
  return { message, path: instance.path };
}

/**
 * Finds the shortest way from an instance back to itself.
 *
 * @param {ReadonlyMap<string, readonly Instance[]>} instances by name
 * @param {Instance} start
 * @returns {readonly Instance[]} empty if there is none
 */
function findCycle(instances, start) {
  const visited = new Set([start]);
  let paths = [[start]];
  while (paths.length > 0) {
    const longer = [];
    for (const path of paths) {
      const references = namesIn(path.at(-1)?.expression ?? '');
      if (references.has(start.name)) return path;
      for (const next of [...references].flatMap((name) => instances.get(name) ?? [])) {
        if (visited.has(next)) continue;
        visited.add(next);
        longer.push([...path, next]);
      }
    }
    paths = longer;
  }
  return [];
}

/**
 * Returns the names in an expression, without its string literals.
 *
 * @param {string} expression
 */
const namesIn = (expression) => new Set(expression.replaceAll(/"[^"]*"|'[^']*'/g, '').match(/[a-z_][a-z0-9_]*/g));

/**
 * Lists the instances with a value, in all types.
 *
 * @param {unknown} type
 * @param {Path} path
 * @returns {readonly Instance[]}
 */
function listInstances(type, path) {
  if (typeof type !== 'object' || type === null) return [];
  const { instances, types } = /** @type {{ instances?: object | null, types?: object | null }} */ (type);
  const own = Object.entries(instances ?? {}).flatMap(([name, instance]) =>
    typeof instance === 'object' && instance !== null && 'value' in instance
      ? [{ name, expression: String(instance.value), path: [...path, 'instances', name] }]
      : [],
  );
  const inner = Object.entries(types ?? {}).flatMap(([name, value]) => listInstances(value, [...path, 'types', name]));
  return [...own, ...inner];
}
