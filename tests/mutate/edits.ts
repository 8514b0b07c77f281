import { parseSync } from 'vite';

import { sqlEdits } from './sql.ts';

/** One small bug: a replacement for the text between `start` and `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The mutation operator, such as `drop condition`. */
  readonly operator: string;
  /** The enclosing functions and constants, such as `deviceWhere.found`. */
  readonly within: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const nodesOf = (value: unknown): Node[] =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [];

const swaps: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};

/** Functions that represent a comparison or an order (drizzle), and methods with a near opposite. */
const opposites: Readonly<Record<string, string>> = {
  gt: 'gte',
  gte: 'gt',
  lt: 'lte',
  lte: 'lt',
  isNull: 'isNotNull',
  isNotNull: 'isNull',
  asc: 'desc',
  desc: 'asc',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

const properties: Readonly<Record<string, string>> = { include: 'exclude', exclude: 'include' };

/** Returns the table's own entry for a name. Ignores inherited properties such as `toString`. */
const lookUp = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** A name from the contract's enums. */
const CONSTANT = /^[A-Z][A-Z_]+$/;

/** Calls that can be removed from a method chain without breaking it. */
const removableCalls = new Set(
  'filter slice sort toSorted reverse toReversed trim toLowerCase toUpperCase limit for onConflictDoNothing'.split(' '),
);

/** Returns all edits for a file, sorted by position. */
export function findEdits(path: string, source: string): Edit[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}.`);
  const edits: Edit[] = [];
  new Walk(source, edits).visit(program as unknown as Node, []);
  return edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

class Walk {
  private readonly names: string[] = [];
  private readonly source: string;
  private readonly edits: Edit[];
  /** The names of permissions in the file, in order. */
  private readonly constants: readonly string[];

  constructor(source: string, edits: Edit[]) {
    this.source = source;
    this.edits = edits;
    this.constants = [...source.matchAll(/'([A-Z][A-Z_]+)'/g)].map(([, name]) => name ?? '');
  }

  visit(node: Node, parents: readonly Node[]): void {
    if (isSkipped(node)) return;
    // In `x as T`, for example, only the expression is code.
    if (node.type.startsWith('TS')) {
      for (const inner of nodesOf(node['expression'])) this.visit(inner, parents);
      return;
    }
    const name = nameOf(node);
    if (name !== undefined) this.names.push(name);
    this.mutate(node, parents);
    const ancestors = [node, ...parents];
    for (const [key, value] of Object.entries(node)) {
      if (key === 'key' && node['computed'] !== true) continue;
      for (const child of nodesOf(value)) this.visit(child, ancestors);
    }
    if (name !== undefined) this.names.pop();
  }

  private text({ start, end }: { start: number; end: number }): string {
    return this.source.slice(start, end);
  }

  private add(operator: string, { start, end }: { start: number; end: number }, text: string): void {
    if (this.source.slice(start, end) === text) return;
    this.edits.push({ start, end, text, operator, within: this.names.join('.') });
  }

  /** Drops each item of a list, with its comma. */
  private dropItems(operator: string, items: readonly Node[]): void {
    items.forEach((item, index) => {
      const next = items[index + 1];
      const previous = items[index - 1];
      const range =
        next !== undefined
          ? { start: item.start, end: next.start }
          : { start: previous?.end ?? item.start, end: item.end };
      this.add(operator, range, '');
    });
  }

  private mutate(node: Node, parents: readonly Node[]): void {
    const child = (key: string): Node => node[key] as Node;
    switch (node.type) {
      case 'LogicalExpression':
        this.add('drop operand', node, this.text(child('left')));
        if (node['operator'] !== '??') this.add('drop operand', node, this.text(child('right')));
        return;
      case 'IfStatement':
        this.add('never', child('test'), 'false');
        this.add('always', child('test'), 'true');
        return;
      case 'ConditionalExpression':
        this.add('first branch', node, this.text(child('consequent')));
        this.add('second branch', node, this.text(child('alternate')));
        return;
      case 'BinaryExpression':
        return this.binary(node, parents);
      case 'UnaryExpression':
        if (node['operator'] === '!') this.add('drop not', node, this.text(child('argument')));
        return;
      case 'Literal':
        return this.literal(node, parents);
      case 'ArrayExpression':
        return this.array(node, parents);
      case 'CallExpression':
        return this.call(node);
      case 'MemberExpression':
        return this.member(node, parents);
      case 'ExpressionStatement':
        return this.statement(node);
      case 'SwitchCase':
        if (nodesOf(node['consequent']).length > 0 && isNode(node['test'])) {
          this.add('drop case', node, '');
        }
        return;
      case 'BreakStatement':
      case 'ContinueStatement':
        if (parents[1]?.type !== 'SwitchStatement' && parents[0]?.type !== 'SwitchCase')
          this.add('drop jump', node, ';');
        return;
      case 'TaggedTemplateExpression':
        if (this.text(child('tag')) === 'sql') {
          const quasi = child('quasi');
          for (const edit of sqlEdits(this.text(quasi))) {
            const range = { start: quasi.start + edit.start, end: quasi.start + edit.end };
            this.add(edit.operator, range, edit.text);
          }
        }
        return;
    }
  }

  private binary(node: Node, parents: readonly Node[]): void {
    const operator = node['operator'] as string;
    const replacement = swaps[operator];
    if (replacement === undefined) return;
    const [left, right] = [node['left'] as Node, node['right'] as Node];
    const isText = [left, right].some((side) => side.type === 'TemplateLiteral' || typeof side['value'] === 'string');
    if (operator === '+' && isText) return;
    // `never`, `always`, and the branches already cover a whole condition.
    const [parent] = parents;
    const isCondition = parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression';
    if (isCondition && parent['test'] === node && operator.length === 3) return;
    const operatorRange = { start: left.end, end: right.start };
    this.add('swap operator', operatorRange, this.text(operatorRange).replace(operator, replacement));
  }

  private literal(node: Node, [parent]: readonly Node[]): void {
    const { value } = node;
    if (typeof value === 'boolean') this.add('flip', node, String(!value));
    if (typeof value !== 'number' || parent?.type === 'MemberExpression' || parent?.type === 'Property') return;
    this.add('change number', node, String(value <= 16 ? value + 1 : value * 2));
  }

  private array(node: Node, [parent]: readonly Node[]): void {
    const items = nodesOf(node['elements']);
    this.grant(node, items, parent);
    if (items.length === 0) return;
    if (items.length === 1) this.add('empty', node, '[]');
    else this.dropItems('drop item', items);
  }

  /** Adds a permission to a list of permissions, once for each of the last two that the file names elsewhere. */
  private grant(node: Node, items: readonly Node[], parent: Node | undefined): void {
    const strings = items.filter((item) => typeof item['value'] === 'string').map((item) => item['value'] as string);
    const isEmpty = items.length === 0 && parent?.type === 'Property';
    if (!isEmpty && !strings.some((value) => CONSTANT.test(value))) return;
    const others = [...new Set(this.constants)].filter((value) => !strings.includes(value)).slice(-2);
    const innerText = this.text(node).slice(1, -1).trimEnd().replace(/,$/, '');
    for (const value of others) {
      this.add('add permission', node, innerText.trim() === '' ? `['${value}']` : `[${innerText}, '${value}']`);
    }
  }

  private call(node: Node): void {
    const callee = node['callee'] as Node;
    const list = nodesOf(node['arguments']);
    const name = callee.type === 'Identifier' ? (callee['name'] as string) : undefined;
    if ((name === 'and' || name === 'or') && list.length > 1) this.dropItems('drop condition', list);
    const oppositeName = name === undefined ? undefined : lookUp(opposites, name);
    if (oppositeName !== undefined && list.length > 0) this.add('opposite', callee, oppositeName);
    if (callee.type !== 'MemberExpression') return;
    const property = callee['property'] as Node;
    const method = callee['computed'] === true ? undefined : (property['name'] as string);
    if (method === undefined) return;
    const reverse = lookUp(opposites, method);
    if (reverse !== undefined) this.add('opposite', property, reverse);
    if (removableCalls.has(method)) this.add('drop link', { start: (callee['object'] as Node).end, end: node.end }, '');
    const [first] = list;
    if (first === undefined) return;
    const isCombined = first.type === 'CallExpression' && /^(and|or)\(/.test(this.text(first));
    if (method === 'where' && !isCombined) this.add('drop condition', first, 'undefined');
    if (method === 'set' && first.type === 'ObjectExpression') {
      const fields = nodesOf(first['properties']);
      if (fields.length > 1) this.dropItems('drop field', fields);
    }
  }

  private member(node: Node, [parent]: readonly Node[]): void {
    const property = node['property'] as Node;
    if (node['optional'] === true) {
      const accessRange = { start: (node['object'] as Node).end, end: property.start };
      this.add('drop ?.', accessRange, this.text(accessRange).replace('?.', node['computed'] === true ? '' : '.'));
    }
    const replacement = lookUp(properties, property['name'] as string);
    const isAssigned = parent?.type === 'AssignmentExpression' && parent['left'] === node;
    if (replacement !== undefined && node['computed'] !== true && !isAssigned)
      this.add('include/exclude', property, replacement);
  }

  private statement(node: Node): void {
    const expression = node['expression'] as Node;
    const inner = expression.type === 'AwaitExpression' || expression.type === 'UnaryExpression' ? 'argument' : '';
    const target = inner === '' ? expression : (expression[inner] as Node);
    const call = target.type === 'ChainExpression' ? (target['expression'] as Node) : target;
    if (call.type === 'CallExpression') this.add('drop call', node, ';');
    if (call.type === 'AssignmentExpression') this.add('drop assignment', node, ';');
  }
}

/** Skips types, imports, logging, and error messages. */
function isSkipped(node: Node): boolean {
  if (/^(Import|ExportAll)/.test(node.type)) return true;
  if (/^TS(?!(As|Satisfies|NonNull|Instantiation|TypeAssertion))/.test(node.type)) return true;
  if (node.type === 'ThrowStatement') return true;
  if (node.type !== 'ExpressionStatement') return false;
  const { expression } = node as unknown as { expression: Node };
  if (expression.type !== 'CallExpression') return false;
  const object = (expression['callee'] as Node)['object'];
  const owner = isNode(object) ? object : undefined;
  const name = owner?.['name'] ?? (owner?.['property'] as Node | undefined)?.['name'];
  return name === 'log' || name === 'console';
}

/** Returns the name of a function, class, constant, or property. */
function nameOf(node: Node): string | undefined {
  const nameNode = /^(Function|Class|VariableDeclarator$)/.test(node.type)
    ? node['id']
    : /^(MethodDefinition|PropertyDefinition|Property)$/.test(node.type) &&
        /Function/.test((node['value'] as Node | undefined)?.type ?? '')
      ? node['key']
      : undefined;
  const name = isNode(nameNode) ? nameNode['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}
